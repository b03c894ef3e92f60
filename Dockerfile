# Not built in CI, which has no container engine: build it once by hand after a change here.
#
#   docker build --build-arg VERSION=1.0.0 --tag room-service .
#   docker run --network host --env ROOM_MYSQL_PASSWORD --stop-timeout 40 room-service
#
# Until callers are authenticated a node listens on loopback only (SEC-1). So run it with --network host, or as a sidecar
# in the network namespace of the gateway that calls it; a published port would reach nothing.

FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /build
# The dependencies are a layer of their own, kept until the pom changes.
COPY .mvn .mvn
COPY pom.xml .
RUN mvn --batch-mode --no-transfer-progress org.apache.maven.plugins:maven-dependency-plugin:3.8.1:go-offline
COPY proto proto
COPY src/main src/main
# Neither tests nor the embedded servers belong in the jar, so they are not even compiled.
RUN mvn --batch-mode --no-transfer-progress -Dmaven.test.skip=true package

FROM eclipse-temurin:17-jre
ARG VERSION=1.0.0-SNAPSHOT
LABEL org.opencontainers.image.title="room-service" \
      org.opencontainers.image.description="Durable voice rooms: one owner a room, fenced commits, gRPC" \
      org.opencontainers.image.version="${VERSION}"

# Numbers, so that an orchestrator can see that this is not root.
RUN groupadd --system --gid 10001 room \
    && useradd --system --uid 10001 --gid room --no-create-home --shell /usr/sbin/nologin room
WORKDIR /app
COPY conf/room-service.yaml conf/
COPY --from=build /build/target/room-service-*-all.jar room-service.jar
USER 10001:10001

# The rest of the container's memory is for threads, code and the direct buffers of the network. Out of memory ends the
# process: its rooms are recovered elsewhere, while half a node would hold them.
ENV JAVA_TOOL_OPTIONS="-XX:MaxRAMPercentage=60 -XX:+ExitOnOutOfMemoryError"

# gRPC, health with metrics, and callbacks of RTC. Without effect under --network host, but they say what there is.
EXPOSE 7400 7480 7495

# curl is part of the base image. A port set in a file instead of ROOM_OPS_PORT needs its own --health-cmd.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD curl --fail --silent --show-error --output /dev/null "http://127.0.0.1:${ROOM_OPS_PORT:-7480}/health/ready" || exit 1

# Exec form: java is process 1 and gets the SIGTERM of a stop itself, which starts the drain.
STOPSIGNAL SIGTERM
ENTRYPOINT ["java", "-jar", "/app/room-service.jar", "serve"]
CMD ["--config", "/app/conf/room-service.yaml"]
