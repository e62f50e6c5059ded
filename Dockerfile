# One image for each service: docker build --target coordinator|worker|control|cli .

FROM node:22-bookworm-slim AS manifests
WORKDIR /src
COPY . .
RUN mkdir /manifests && find . -name 'package*.json' -exec cp --parents {} /manifests \;

FROM node:22-bookworm-slim AS build
WORKDIR /src
# The manifests first: as long as they stay the same, the installed dependencies are reused.
COPY --from=manifests /manifests ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npx tsc -b \
  && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf libs/*/src apps/*/src examples/src bench/src

FROM node:22-bookworm-slim AS runtime
ENV NODE_ENV=production
WORKDIR /app
# Owned by root and only read by the user it runs as: a service cannot change its own code.
COPY --from=build /src/package.json ./
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/libs libs
COPY --from=build /src/apps apps
COPY --from=build /src/examples examples
COPY bin bin
COPY deploy/healthcheck.mjs deploy/healthcheck.mjs
# `node`, by number, so that an orchestrator can see that it is not root.
USER 1000:1000
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 CMD ["node", "deploy/healthcheck.mjs"]

FROM runtime AS coordinator
ENV GRAPHRUN_HEALTH_HOST=0.0.0.0 GRAPHRUN_HEALTH_PORT=7071
EXPOSE 7071
CMD ["node", "apps/coordinator/dist/main.js"]

FROM runtime AS worker
ENV GRAPHRUN_HEALTH_HOST=0.0.0.0 GRAPHRUN_HEALTH_PORT=7071
EXPOSE 7071
CMD ["node", "apps/worker/dist/main.js"]

FROM runtime AS control
ENV GRAPHRUN_HTTP_HOST=0.0.0.0 GRAPHRUN_HTTP_PORT=7070
EXPOSE 7070
CMD ["node", "apps/control/dist/main.js"]

FROM runtime AS cli
HEALTHCHECK NONE
ENTRYPOINT ["node", "bin/graphrun"]
