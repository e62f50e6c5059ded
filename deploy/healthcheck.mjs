/* Health check of the images: asks the service's own /readyz and ends with 0 (ready) or 1 (with the reasons). */
const port = process.env.GRAPHRUN_HEALTH_PORT ?? process.env.GRAPHRUN_HTTP_PORT ?? '7070';
try {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_500) });
  if (!response.ok) {
    console.error(`not ready (${response.status}): ${await response.text()}`);
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`no answer on port ${port}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
