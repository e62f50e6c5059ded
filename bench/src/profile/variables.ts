/** Environment by which a service is told to record profiles, and where. */
export const PROFILE_DIR_VARIABLE = 'GRAPHRUN_BENCH_PROFILE_DIR';
export const PROFILE_NAME_VARIABLE = 'GRAPHRUN_BENCH_PROFILE_NAME';
