package dev.roomcell.cell;

import dev.roomcell.port.CellMeter;

/** Answers in the words of {@link CellMeter}. */
final class MeteredAnswers {
    private MeteredAnswers() {}

    static CellMeter.Result result(Answer answer) {
        if (answer instanceof Answer.Done done) {
            return done.replayed() ? CellMeter.Result.REPLAYED : CellMeter.Result.DONE;
        }
        if (answer instanceof Answer.Rejected) {
            return CellMeter.Result.REJECTED;
        }
        return switch (((Answer.Refused) answer).refusal()) {
            case NOT_OWNER,
                    FENCED,
                    LEASE_LOST,
                    DRAINING,
                    LOADING,
                    OVERLOADED,
                    STORE_UNAVAILABLE,
                    OWNER_UNREACHABLE,
                    REWARD_IN_PROGRESS -> CellMeter.Result.REFUSED;
            case COMMAND_ID_CONFLICT -> CellMeter.Result.REJECTED;
            case OUTCOME_UNKNOWN -> CellMeter.Result.UNKNOWN;
            case INTERNAL -> CellMeter.Result.FAULT;
        };
    }

    /** Why a cell is dropped that was told so; {@code refused} ends its ownership. */
    static CellMeter.Drop drop(Answer.Refused refused) {
        return switch (refused.refusal()) {
            case NOT_OWNER, LEASE_LOST -> CellMeter.Drop.LEASE_LOST;
            case FENCED -> CellMeter.Drop.FENCED;
            case OUTCOME_UNKNOWN,
                    DRAINING,
                    LOADING,
                    OVERLOADED,
                    STORE_UNAVAILABLE,
                    COMMAND_ID_CONFLICT,
                    OWNER_UNREACHABLE,
                    REWARD_IN_PROGRESS,
                    INTERNAL -> CellMeter.Drop.UNKNOWN_OUTCOME;
        };
    }
}
