/** The values of the order example, as its schemas describe them. */
export interface Order {
  readonly order_id: string;
  readonly amount: number;
}

export interface ReservedOrder extends Order {
  readonly reservation_id: string;
}

export interface PaymentReceipt extends Order {
  readonly payment_id: string;
}

export interface Quote {
  readonly cents: number;
}

export function reserved({ order_id, amount }: Order): ReservedOrder {
  return { order_id, amount, reservation_id: 'res-1' };
}

export function charged({ order_id, amount }: Order): PaymentReceipt {
  return { order_id, amount, payment_id: 'pay-1' };
}
