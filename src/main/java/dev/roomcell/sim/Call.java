package dev.roomcell.sim;

import dev.roomcell.port.LeaseDirectory.LeaseStoreException;
import dev.roomcell.port.LuckyGift.DrawException;
import dev.roomcell.port.StoreException;
import dev.roomcell.port.Wallet.WalletException;

/** A method of a port. */
public enum Call {
    ACQUIRE,
    RECORD_EPOCH,
    RENEW,
    VERIFY,
    RELEASE,
    ANNOUNCE,
    FIND_NODES,
    WITHDRAW,
    FIND,
    INSERT_CREATING,
    MINT,
    LOAD,
    FIND_COMMANDS,
    COMMIT,
    SAVE_SNAPSHOT,
    WRITE_LIST,
    READ_LIST,
    READ_LOG,
    LIVE_OWNERS,
    LIVE_ROOMS,
    CLAIM_DUE,
    GIVE_BACK,
    /** {@link TimerStore#done}. */
    TIMER_DONE,
    /** {@link TimerStore#plan}. */
    PLAN_TIMER,
    LEASE_PARTITIONS,
    RELEASE_PARTITIONS,
    CLAIM_FACTS,
    FINISH_FACTS,
    PURGE_FACTS,
    BACKLOG,
    BEGIN_GIFTS,
    FIND_GIFTS,
    GIVE_UP_GIFT,
    END_GIFT,
    DRAWN_GIFT,
    REFUSED_GIFT,
    CLAIM_GIFTS,
    COUNT_GIFTS,
    FIND_OVERDUE,
    READ_SNAPSHOTS,
    PURGE_LOG,
    PURGE_SNAPSHOTS,
    PURGE_GIFTS,
    WALLET,
    DRAW,
    PUBLISH,
    PREPARE,
    RTC;

    /** Whether it goes to Redis. */
    public boolean toRedis() {
        return compareTo(WITHDRAW) <= 0;
    }

    /** Whether it changes what MySQL holds. */
    boolean writesToMysql() {
        return switch (this) {
            case INSERT_CREATING,
                    MINT,
                    COMMIT,
                    SAVE_SNAPSHOT,
                    WRITE_LIST,
                    CLAIM_DUE,
                    GIVE_BACK,
                    TIMER_DONE,
                    PLAN_TIMER -> true;
            case LEASE_PARTITIONS, RELEASE_PARTITIONS, CLAIM_FACTS, FINISH_FACTS, PURGE_FACTS -> true;
            case PURGE_LOG, PURGE_SNAPSHOTS, PURGE_GIFTS -> true;
            case BEGIN_GIFTS, GIVE_UP_GIFT, END_GIFT, DRAWN_GIFT, REFUSED_GIFT, CLAIM_GIFTS -> true;
            default -> false;
        };
    }

    /** How the port says that it was not answered. */
    public RuntimeException failure(String detail) {
        String message = this + ": " + detail;
        if (this == WALLET) {
            return new WalletException(WalletException.Kind.UNKNOWN, message);
        }
        if (this == DRAW) {
            return new DrawException(message);
        }
        return toRedis()
                ? new LeaseStoreException(message, new IllegalStateException(message))
                : new StoreException(message);
    }
}
