package dev.roomcell.domain;

import dev.roomcell.domain.RoomCommand.Kind;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** One thing that may happen to a room; some time passes before each. */
sealed interface Step {
    long afterMs();

    /**
     * A command.
     *
     * @param afterMs since the step before, ms
     * @param command what is asked
     */
    record Asked(long afterMs, RoomCommand command) implements Step {}

    /**
     * Something that no command does yet, or that is no command.
     *
     * @param afterMs since the step before, ms
     * @param twist what
     * @param userId whom it concerns, where it concerns anybody
     * @param seatNo which seat, where it concerns one
     */
    record Twisted(long afterMs, Twist twist, String userId, int seatNo) implements Step {}

    /** What else may happen; a twist that does not apply does nothing. */
    enum Twist {
        SIT_DOWN,
        PUBLISH,
        LOCK,
        UNLOCK,
        SIGN_OF_LIFE,
        CLOSING_BEGUN
    }

    static Arbitrary<Step> any() {
        Arbitrary<Long> after = Arbitraries.longs().between(0, 10_000);
        Arbitrary<String> user = Arbitraries.of("olga", "ben", "cara", "dora");
        Arbitrary<Kind> kind = Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.just(Kind.JOIN_ROOM)),
                Tuple.of(2, Arbitraries.just(Kind.LEAVE_ROOM)),
                Tuple.of(1, Arbitraries.of(Kind.class)));
        Arbitrary<Twist> twist = Arbitraries.frequencyOf(
                Tuple.of(20, Arbitraries.just(Twist.SIT_DOWN)),
                Tuple.of(20, Arbitraries.of(Twist.PUBLISH, Twist.LOCK, Twist.UNLOCK, Twist.SIGN_OF_LIFE)),
                Tuple.of(1, Arbitraries.just(Twist.CLOSING_BEGUN)));
        Arbitrary<Step> asked = Combinators.combine(after, kind, user)
                .as((afterMs, what, who) -> new Asked(afterMs, command(what, who)));
        Arbitrary<Step> twisted = Combinators.combine(
                        after, twist, user, Arbitraries.integers().between(1, 4))
                .as(Twisted::new);
        return Arbitraries.frequencyOf(Tuple.of(1, asked), Tuple.of(1, twisted));
    }

    static RoomCommand command(Kind kind, String userId) {
        return switch (kind) {
            case CREATE_ROOM -> new Lifecycle.CreateRoom(userId, Story.PROFILE, 3);
            case CLOSE_ROOM -> new Lifecycle.CloseRoom(userId);
            case HEAL_ROOM -> new Lifecycle.HealRoom();
            case JOIN_ROOM -> new Presence.JoinRoom(userId);
            case LEAVE_ROOM -> new Presence.LeaveRoom(userId);
        };
    }
}
