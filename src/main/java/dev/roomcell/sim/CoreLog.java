package dev.roomcell.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The core's log while simulations run: its lines go to the trace of the simulation on the same thread and nowhere else,
 * and an error is a finding. Outside of simulations nothing changes but the level.
 */
final class CoreLog {
    private static final String CORE = "dev.roomcell.cell";
    private static final ThreadLocal<@Nullable Consumer<ILoggingEvent>> LISTENER = new ThreadLocal<>();

    private final Logger logger;
    private final Appender appender = new Appender();
    private final @Nullable Level levelBefore;

    private static final class Appender extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            Consumer<ILoggingEvent> listener = LISTENER.get();
            if (listener != null) {
                listener.accept(event);
            }
        }
    }

    /** From now on, until it is given back, the core logs to simulations only. */
    CoreLog() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        this.logger = context.getLogger(CORE);
        this.levelBefore = logger.getLevel();
        appender.setContext(context);
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(Level.INFO);
    }

    /** What the calling thread logs is for {@code listener}, until it is told otherwise; null for nobody. */
    static void listen(@Nullable Consumer<ILoggingEvent> listener) {
        if (listener == null) {
            LISTENER.remove();
        } else {
            LISTENER.set(listener);
        }
    }

    /** The core logs as it did before. */
    void giveBack() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(levelBefore);
    }
}
