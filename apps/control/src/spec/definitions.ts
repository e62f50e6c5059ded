/** Definitions over the example catalog for tests of what can be asked of a run. */

/** Waits for `approve` with the order's id, for an hour at most. */
export const APPROVAL = `dsl: graphrun/v1
id: approval
version: 1
input_schema: order/v1
output_schema: counter/v1
signals:
  approve: { schema: counter/v1 }
start: wait
nodes:
  wait:
    kind: wait_signal
    signal: approve
    key: { from: workflow.input, path: /order_id }
    timeout: 1h
    on_timeout: late
    next: finish
  late:
    kind: fail
    error: { code: order.late, message: nobody approved it }
  finish:
    kind: complete
    output: { from: nodes.wait.output }
`;

/** Its one effect gets one attempt, and nobody can be asked about it. */
export const RELEASE = `dsl: graphrun/v1
id: release
version: 1
input_schema: reserved_order/v1
output_schema: unit/v1
start: release
nodes:
  release:
    kind: activity
    activity: { name: inventory.release, version: 1 }
    input: { from: workflow.input }
    retry: { errors: [], max_attempts: 1, backoff: { initial: 1ms, multiplier: 1, max: 1ms } }
    next: finish
  finish:
    kind: complete
    output: { from: nodes.release.output }
`;

/** Reserves, then fails: the reservation is to be released again, in one attempt. */
export const UNDO = `dsl: graphrun/v1
id: undo
version: 1
input_schema: order/v1
output_schema: order/v1
start: order
nodes:
  order:
    kind: saga
    input: { from: workflow.input }
    body:
      input_schema: order/v1
      output_schema: order/v1
      start: reserve
      nodes:
        reserve:
          kind: activity
          activity: { name: inventory.reserve, version: 1 }
          input: { from: scope.input }
          compensation:
            kind: activity
            activity: { name: inventory.release, version: 1 }
            input: { from: forward.output }
            retry: { errors: [], max_attempts: 1, backoff: { initial: 1ms, multiplier: 1, max: 1ms } }
          next: refuse
        refuse:
          kind: fail
          error: { code: order.refused, message: no such thing }
    next: finish
  finish:
    kind: complete
    output: { from: nodes.order.output }
`;
