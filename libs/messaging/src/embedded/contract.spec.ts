import { eventually } from '@graphrun/testing';
import type { Adapter, ReportedError } from '../contract/cluster.js';
import { changeFeedContract } from '../contract/feed-contract.js';
import { commandLogContract } from '../contract/log-contract.js';
import { workQueueContract } from '../contract/queue-contract.js';
import { createEmbeddedMessaging } from './embedded.js';

const embedded: Adapter = {
  name: 'embedded mode',
  eventually,
  open: () => {
    const reported: ReportedError[] = [];
    const messaging = createEmbeddedMessaging({
      clock: () => Date.now(),
      onError: ({ message }, where) => reported.push({ message, where }),
    });
    return Promise.resolve({ join: () => Promise.resolve(messaging), reported, close: () => messaging.close() });
  },
};

commandLogContract(embedded);
workQueueContract(embedded);
changeFeedContract(embedded);
