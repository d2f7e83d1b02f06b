# Octavo in one container, on Debian 12: nginx, workers and job runner on port 8080, data in /data.
#
#   docker build -t octavo .
#   docker run -d --name octavo -p 127.0.0.1:8080:8080 -v octavo:/data -e OCTAVO_URL=https://docs.example.com octavo
#   docker exec octavo octavo init --dir /data --email you@example.com --name You --org Docs
#
# A web server of the host's, with TLS, stands in front. The container waits until `init` has run.
FROM debian:12-slim AS build
COPY . /src
WORKDIR /src
RUN sh tools/deps.sh deb && make -s -j"$(nproc)" deb

FROM debian:12-slim
COPY --from=build /src/build/octavo.deb /tmp/octavo.deb
RUN apt-get update && \
	apt-get install -y --no-install-recommends /tmp/octavo.deb nginx-light spawn-fcgi curl fonts-dejavu-core && \
	rm -rf /tmp/octavo.deb /var/lib/apt/lists/* && install -d -o octavo -g octavo -m 710 /data
USER octavo
ENV OCTAVO_DIR=/data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK CMD curl -fsS http://127.0.0.1:8080/v1/healthz
CMD ["sh", "/usr/share/octavo/container.sh"]
