package dev.roomcell.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.lang.annotation.Annotation;
import java.util.List;

/** A class has a method with one of some annotations. */
final class HaveMethodsAnnotatedWith extends ArchCondition<JavaClass> {
    private final List<Class<? extends Annotation>> annotations;

    HaveMethodsAnnotatedWith(List<Class<? extends Annotation>> annotations) {
        super("have methods annotated with any of " + annotations);
        this.annotations = annotations;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        for (JavaMethod method : type.getMethods()) {
            boolean has = annotations.stream().anyMatch(method::isAnnotatedWith);
            events.add(new SimpleConditionEvent(method, has, method.getDescription()));
        }
    }
}
