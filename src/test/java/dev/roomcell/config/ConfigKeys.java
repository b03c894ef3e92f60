package dev.roomcell.config;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The keys of {@link NodeConfig} as its records have them, so that a test can't forget a new one. */
final class ConfigKeys {
    private ConfigKeys() {}

    /** Every key's path with its value in one configuration, in the order of the records. */
    static Map<String, Object> valuesOf(NodeConfig config) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (RecordComponent section : NodeConfig.class.getRecordComponents()) {
            for (RecordComponent key : section.getType().getRecordComponents()) {
                values.put(name(section) + "." + name(key), read(key, read(section, config)));
            }
        }
        return values;
    }

    private static String name(RecordComponent component) {
        StringBuilder name = new StringBuilder();
        for (char c : component.getName().toCharArray()) {
            name.append(Character.isUpperCase(c) ? "_" : "").append(Character.toLowerCase(c));
        }
        return name.toString();
    }

    /** The environment variable that the documentation promises for a path. */
    static String variable(String path) {
        return "ROOM_" + path.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    private static Object read(RecordComponent component, Object holder) {
        try {
            return component.getAccessor().invoke(holder);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the accessor of " + component + " failed", e);
        }
    }
}
