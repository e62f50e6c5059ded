import { Tables1767225600000 } from './1767225600000-tables.js';
import { ApplyV11767225600001 } from './1767225600001-apply-v1.js';
import { ReadsV11767225600002 } from './1767225600002-reads-v1.js';
import { Publications1767225600003 } from './1767225600003-publications.js';
import { RunStates1767225600004 } from './1767225600004-run-states.js';
import { SignalIdentities1767225600005 } from './1767225600005-signal-identities.js';

/** In the order they are run. What has been released is never edited; a change is a new migration at the end. */
export const MIGRATIONS = [
  Tables1767225600000,
  ApplyV11767225600001,
  ReadsV11767225600002,
  Publications1767225600003,
  RunStates1767225600004,
  SignalIdentities1767225600005,
];
