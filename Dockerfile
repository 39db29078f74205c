# An image for pipelines without Node: docker build -t usergroup-mock .
# BASE is any image with Node 20.19 or later, npm and a shell.
ARG BASE=node:24-slim

FROM ${BASE} AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The image holds the files of the npm package, and nothing else.
RUN npm run --silent build \
 && npm pack --silent --ignore-scripts --pack-destination /tmp \
 && mkdir -p /image/opt/usergroup-mock /image/usr/local/bin /image/usergroup-mock \
 && tar -xzf /tmp/usergroup-mock-*.tgz --strip-components=1 -C /image/opt/usergroup-mock \
 && ln -s /opt/usergroup-mock/bin/usergroup-mock.cjs /image/usr/local/bin/usergroup-mock

FROM ${BASE}
COPY --from=build /image /
# A number, so that Kubernetes can see that it is not root.
USER 1000:1000
# Mount a usergroup-mock.config.json here, or fixtures.
WORKDIR /usergroup-mock
ENV USERGROUP_MOCK_HOST=0.0.0.0
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=6s --retries=3 CMD ["usergroup-mock", "health"]
ENTRYPOINT ["usergroup-mock"]
CMD []
