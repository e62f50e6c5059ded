export { ORDER_WORKERS, startCluster, type Cluster, type ClusterOptions, type WorkerPlan } from './cluster.js';
export { Service, type ServicePlan } from './service.js';
