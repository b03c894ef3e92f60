package dev.roomcell.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BenchReportTest {
    private static final long T0 = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1);
    private static final MeasuredWindow WINDOW = MeasuredWindow.from(T0, 2, 4);
    private static final long MEASURED = T0 + TimeUnit.SECONDS.toNanos(3);
    private static final Offset<Double> ROUNDING = within(0.06);

    private static final BenchSettings SETTINGS = new BenchSettings(
            "h:1", "a", 3, 5, 4, 2, BenchSettings.Command.JOIN_LEAVE, 0, Optional.empty(), "p", "run", 1, 1);

    private final Measurement measurement = new Measurement(WINDOW);

    private void succeeded(long begunNanos, long latencyMs) {
        measurement.succeeded(begunNanos, begunNanos + TimeUnit.MILLISECONDS.toNanos(latencyMs));
    }

    private JsonObject json() {
        return new JsonObject(new BenchReport(SETTINGS, measurement).json());
    }

    private int exitCode(boolean tolerateErrors) {
        return new BenchReport(SETTINGS, measurement).exitCode(tolerateErrors);
    }

    @Test
    void throughputAndPercentilesAreThoseOfTheMeasuredCommands() {
        for (int ms = 1; ms <= 100; ms++) {
            succeeded(MEASURED, ms);
        }

        JsonObject json = json();
        assertThat(json.getDouble("throughput_per_s")).isEqualTo(25.0);
        assertThat(json.getDouble("p50_ms")).isCloseTo(50, ROUNDING);
        assertThat(json.getDouble("p90_ms")).isCloseTo(90, ROUNDING);
        assertThat(json.getDouble("p99_ms")).isCloseTo(99, ROUNDING);
        assertThat(json.getDouble("max_ms")).isCloseTo(100, ROUNDING);
        assertThat(json.getLong("succeeded")).isEqualTo(100);
        assertThat(json.getLong("errors")).isZero();
        assertThat(json.getInteger("rooms")).isEqualTo(3);
        assertThat(json.getInteger("clients")).isEqualTo(5);
    }

    @Test
    void whatBeginsOutsideTheWindowIsNotMeasured() {
        succeeded(WINDOW.measureNanos() - 1, 1);
        succeeded(WINDOW.measureNanos(), 1);
        succeeded(WINDOW.endNanos() - 1, 10_000);
        succeeded(WINDOW.endNanos(), 1);

        assertThat(json().getLong("succeeded")).isEqualTo(2);
        assertThat(json().getDouble("max_ms")).isCloseTo(10_000, within(10.0));
    }

    @Test
    void errorsAreCountedByReasonAndNotAsLatency() {
        succeeded(MEASURED, 1);
        measurement.failed(MEASURED, "OVERLOADED");
        measurement.failed(MEASURED, "OVERLOADED");
        measurement.failed(MEASURED, "NOT_OWNER");
        measurement.retried(MEASURED, "FENCED");

        JsonObject json = json();
        assertThat(json.getLong("succeeded")).isEqualTo(1);
        assertThat(json.getLong("errors")).isEqualTo(3);
        assertThat(json.getJsonObject("errors_by_reason"))
                .isEqualTo(new JsonObject().put("NOT_OWNER", 1).put("OVERLOADED", 2));
        assertThat(json.getLong("retries")).isEqualTo(1);
        assertThat(new BenchReport(SETTINGS, measurement).table())
                .contains("errors: OVERLOADED 2", "errors: NOT_OWNER 1", "retries: FENCED 1");
    }

    @Test
    void loopsAreJoined() {
        succeeded(MEASURED, 1);
        measurement.failed(MEASURED, "OVERLOADED");
        Measurement other = new Measurement(WINDOW);
        other.succeeded(MEASURED, MEASURED + TimeUnit.MILLISECONDS.toNanos(9));
        other.failed(MEASURED, "OVERLOADED");
        other.failed(WINDOW.startNanos(), "LOADING");
        other.retried(MEASURED, "FENCED");
        measurement.add(other);

        assertThat(json().getLong("succeeded")).isEqualTo(2);
        assertThat(json().getDouble("max_ms")).isCloseTo(9, ROUNDING);
        assertThat(json().getLong("errors")).isEqualTo(2);
        assertThat(json().getLong("warmup_errors")).isEqualTo(1);
        assertThat(json().getLong("retries")).isEqualTo(1);
    }

    @Test
    void nothingSucceededIsAFailureEvenWhereErrorsAreTolerated() {
        assertThat(exitCode(true)).isEqualTo(1);
        assertThat(json().getDouble("throughput_per_s")).isZero();
        assertThat(json().getDouble("p99_ms")).isZero();
    }

    @Test
    void errorsAreAFailureUnlessTolerated() {
        succeeded(MEASURED, 1);
        assertThat(exitCode(false)).isZero();

        measurement.failed(WINDOW.startNanos(), "LOADING");
        assertThat(exitCode(false)).isEqualTo(1);
        assertThat(exitCode(true)).isZero();
    }
}
