package dev.roomcell.arch;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** Of all adapters, a class uses its own and the codec. */
final class KeepToOwnAdapter extends ArchCondition<JavaClass> {
    private static final String ADAPTER = Layer.BASE + ".adapter.";

    KeepToOwnAdapter() {
        super("keep to their own adapter and codec");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            String used = adapterOf(dependency.getTargetClass().getBaseComponentType());
            if (!used.isEmpty() && !used.equals("codec") && !used.equals(adapterOf(type))) {
                events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
            }
        }
    }

    /** The name of the adapter that {@code type} belongs to; empty for a class of no adapter. */
    private static String adapterOf(JavaClass type) {
        String name = type.getPackageName() + ".";
        return name.startsWith(ADAPTER) ? name.substring(ADAPTER.length(), name.indexOf('.', ADAPTER.length())) : "";
    }
}
