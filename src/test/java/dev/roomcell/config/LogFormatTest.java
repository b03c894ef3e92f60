package dev.roomcell.config;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.slf4j.event.KeyValuePair;

/** The shipped logback.xml under the variables it reads, each time in a logger context of its own. */
class LogFormatTest {
    private final LoggerContext context = new LoggerContext();

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void withoutAnySettingAnEventIsOneLineOfJson() throws JoranException, IOException {
        Encoder<ILoggingEvent> encoder = configure(Map.of());
        String line = encode(encoder, "two\nlines \"quoted\"");
        JsonNode json = new ObjectMapper().readTree(line);

        assertThat(encoder).isInstanceOf(JsonEncoder.class);
        assertThat(line).endsWith("}" + System.lineSeparator()).hasLineCount(1);
        assertThat(json.path("formattedMessage").asText()).isEqualTo("two\nlines \"quoted\"");
        assertThat(json.path("level").asText()).isEqualTo("INFO");
        assertThat(json.path("kvpList").path(0).path("room").asText()).isEqualTo("r1");
        assertThat(context.getLogger(Logger.ROOT_LOGGER_NAME).getLevel()).isEqualTo(Level.INFO);
    }

    @Test
    void theVariableChoosesText() throws JoranException {
        Encoder<ILoggingEvent> encoder = configure(Map.of("LOG_FORMAT", "text"));

        assertThat(encoder).isInstanceOf(PatternLayoutEncoder.class);
        assertThat(encode(encoder, "hello"))
                .contains("INFO ", "hello", "room=r1")
                .hasLineCount(1);
    }

    @Test
    void theSystemPropertyGoesBeforeTheVariable() throws JoranException {
        assertThat(configure(Map.of("log.format", "text", "LOG_FORMAT", "json")))
                .isInstanceOf(PatternLayoutEncoder.class);
    }

    @Test
    void theLevelIsSetByTheVariableAndNettyStaysQuiet() throws JoranException {
        configure(Map.of("LOG_LEVEL", "debug"));

        assertThat(context.getLogger("dev.roomcell").isDebugEnabled()).isTrue();
        assertThat(context.getLogger("io.netty.handler").isInfoEnabled()).isFalse();
        assertThat(context.getLogger("io.netty.handler").isWarnEnabled()).isTrue();
    }

    /** Properties of the context are found before those of the system and the environment. */
    private Encoder<ILoggingEvent> configure(Map<String, String> properties) throws JoranException {
        context.setMDCAdapter(MDC.getMDCAdapter());
        properties.forEach(context::putProperty);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        URL file = LogFormatTest.class.getResource("/logback.xml");
        assertThat(file).isNotNull();
        configurator.doConfigure(file);

        assertThat(context.getStatusManager().getCopyOfStatusList())
                .allMatch(status -> status.getLevel() < Status.WARN);
        ConsoleAppender<ILoggingEvent> appender = (ConsoleAppender<ILoggingEvent>)
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDOUT");
        return appender.getEncoder();
    }

    private String encode(Encoder<ILoggingEvent> encoder, String message) {
        Logger logger = context.getLogger("dev.roomcell.Sample");
        LoggingEvent event = new LoggingEvent(LogFormatTest.class.getName(), logger, Level.INFO, message, null, null);
        event.setKeyValuePairs(List.of(new KeyValuePair("room", "r1")));
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}
