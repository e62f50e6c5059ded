/** What a developer wants to know about a cluster that has just started. */
export function usage({ url, dir, nats, postgres, services }) {
  const rows = services.map(({ name, pid, logFile }) => `  ${name.padEnd(18)} pid ${String(pid).padEnd(8)} ${logFile}`);
  return `
The cluster is ready.

  API and reference  ${url}  ${url}/docs
  NATS               ${nats.urls}
  PostgreSQL         ${postgres.url}
  Data and logs      ${dir}

${rows.join('\n')}

Try it from another terminal:

  export GRAPHRUN_SERVER=${url}
  bin/graphrun publish examples/sequence.yaml --catalog examples/catalog.json
  bin/graphrun start order --input examples/order.json --wait 30s
  bin/graphrun list
  curl -s ${url}/v1/runs

kill -9 any of them and watch the others go on. Ctrl-C here ends everything.
`;
}
