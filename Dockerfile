# The product and nothing else: `docker build -t contentflow .`
# Without a demo (DATABASE_URL, CF_DEMO=off) the first account takes the set-up token that the start prints.
# A read-only file system is enough; what is kept lies in /data (embedded database, uploaded files, the key of secrets).
# The same commit makes the same image: docs/operations.md says how.
FROM node:26-bookworm-slim AS build
ARG SOURCE_DATE_EPOCH
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && npm run build \
 && node scripts/pack.mjs /product \
 && cd /product \
 && npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:26-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 CF_DATA_DIR=/data TMPDIR=/data
COPY --from=build /product /srv/contentflow
RUN mkdir /data && chown node:node /data
WORKDIR /srv/contentflow
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=100", "packages/server/src/main.js"]
