package dev.roomcell.domain;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What two persistent values do not share: how much a change has built anew. */
final class Sharing {
    private Sharing() {}

    /** Objects and array places that are reachable from {@code after} and not from {@code before}. */
    static int notSharedWith(Object before, Object after) {
        Set<Object> fresh = reachable(after);
        fresh.removeAll(reachable(before));
        return fresh.stream()
                .mapToInt(each -> each.getClass().isArray() ? Array.getLength(each) : 1)
                .sum();
    }

    private static Set<Object> reachable(Object root) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> open = new ArrayDeque<>();
        open.add(root);
        while (!open.isEmpty()) {
            Object next = open.pop();
            if (!isOurs(next.getClass()) || !seen.add(next)) {
                continue;
            }
            if (next instanceof Object[] array) {
                for (Object element : array) {
                    push(open, element);
                }
            } else {
                fields(next, open);
            }
        }
        return seen;
    }

    private static boolean isOurs(Class<?> type) {
        return type.isArray()
                || type.getName().startsWith("io.vavr.")
                || type.getName().startsWith("dev.roomcell.");
    }

    private static void fields(Object holder, Deque<Object> open) {
        for (Class<?> type = holder.getClass(); type != null && isOurs(type); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    try {
                        push(open, field.get(holder));
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }
    }

    private static void push(Deque<Object> open, @Nullable Object value) {
        if (value != null) {
            open.push(value);
        }
    }
}
