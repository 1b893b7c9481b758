# docker build --build-arg SIGN_SECRET=… -t valuation .   (docs/deployment.md, "Containers")
FROM node:24.22.3-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY tools/noop tools/noop
RUN npm ci --no-audit --no-fund
COPY . .
# compiled into the h5 app, so neither is a secret: the server must get the same SIGN_SECRET
ARG SIGN_SECRET
ARG ASSET_BASE
ENV SIGN_SECRET=$SIGN_SECRET ASSET_BASE=$ASSET_BASE
RUN npm run build:h5 && npm run build:server
RUN node scripts/deploy-folder.mjs /srv/valuation

FROM node:24.22.3-bookworm-slim
LABEL org.opencontainers.image.title="game-account-valuation"
ENV NODE_ENV=production DATA_DIR=/data
RUN mkdir /data && chown node:node /data
WORKDIR /srv/valuation
# owned by root: the process cannot change its own program
COPY --from=build /srv/valuation ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "deploy/healthcheck.mjs"]
CMD ["node", "--enable-source-maps", "dist/server/main.js"]
