package dev.roomcell.adapter.mysql;

import dev.roomcell.port.StoreException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings a schema to the newest version; several nodes may do so at once. */
public final class Migrations {
    private Migrations() {}

    /**
     * Creates the schema if there is none and runs what has not been run. Blocks.
     *
     * @return how many scripts this call ran
     * @throws StoreException when the database can't be reached or a script fails
     */
    public static int migrate(MysqlSettings settings) {
        String url = "jdbc:mysql://" + settings.host() + ":" + settings.port() + "/" + settings.schema()
                + "?createDatabaseIfNotExist=true&connectTimeout=" + settings.connectTimeoutMs();
        try {
            return Flyway.configure()
                    .dataSource(url, settings.user(), settings.password())
                    .locations("classpath:db/migration")
                    .load()
                    .migrate()
                    .migrationsExecuted;
        } catch (FlywayException e) {
            throw new StoreException(
                    "schema not migrated: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
                    e);
        }
    }
}
