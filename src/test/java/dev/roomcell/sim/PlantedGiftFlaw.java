package dev.roomcell.sim;

import dev.roomcell.cell.CellPorts;
import dev.roomcell.cell.GiftPorts;
import dev.roomcell.port.GiftStore;
import dev.roomcell.port.LuckyGift;
import dev.roomcell.port.Wallet;
import dev.roomcell.port.Wallet.Transfer;
import dev.roomcell.sim.MemoryTables.Guard;
import io.vertx.core.Future;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Mistakes with money that a core or its adapters could make. Each of them must be found. */
enum PlantedGiftFlaw implements Flaw {
    /** The commit does not ask whether its gifts were given up meanwhile (GIFT-2). */
    INTENT_NOT_COMPARED {
        @Override
        public Set<Guard> guards() {
            return EnumSet.complementOf(EnumSet.of(Guard.GIFT_STATE));
        }
    },
    /** Money is taken while the intent is on its way (GIFT-2). */
    DEBIT_BEFORE_INTENT {
        @Override
        GiftStore store(GiftStore right) {
            return new PassedGifts(right) {
                @Override
                public Future<List<Intent>> begin(List<Intent> intents, long voidAfterMs) {
                    right.begin(intents, voidAfterMs)
                            .onFailure(failure -> log.info("an intent was lost: {}", failure.toString()));
                    return Future.succeededFuture(intents);
                }
            };
        }
    },
    /** Each attempt has a debit of its own (B28). */
    DEBIT_KEY_OF_THE_ATTEMPT {
        @Override
        Wallet wallet(Wallet right) {
            return new PassedWallet(right) {
                private int attempts;

                @Override
                public Future<DebitAnswer> debit(Transfer debit, long timeoutMs) {
                    String key = attempts++ % 10 == 9 ? debit.key() + "/" + attempts : debit.key();
                    return right.debit(new Transfer(debit.appCode(), debit.userId(), key, debit.coins()), timeoutMs);
                }
            };
        }
    },
    /** Whatever is due is paid back, also for a gift that was given (GIFT-2). */
    COMMITTED_IS_PAID_BACK {
        @Override
        GiftStore store(GiftStore right) {
            return new PassedGifts(right) {
                @Override
                public Future<List<Intent>> claimDue(int most, long firstAgainMs, long mostAgainMs) {
                    return right.claimDue(most, firstAgainMs, mostAgainMs)
                            .map(due -> due.stream()
                                    .map(intent -> Altered.in(intent, State.VOIDING))
                                    .toList());
                }
            };
        }
    },
    /** A refund without an answer counts as done (B31). */
    VOIDED_WITHOUT_REFUND {
        @Override
        Wallet wallet(Wallet right) {
            return new PassedWallet(right) {
                @Override
                public Future<Long> refund(Refund refund, long timeoutMs) {
                    return right.refund(refund, timeoutMs).otherwise(0L);
                }
            };
        }
    },
    /** A refund of what was not taken yet leaves nothing behind, and the debit comes after it (GIFT-4). */
    NO_TOMBSTONE {
        @Override
        public Wallet in(MemoryWallet wallet) {
            return new PassedWallet(wallet) {
                @Override
                public Future<Long> refund(Refund refund, long timeoutMs) {
                    return wallet.movement(refund.debitKey()).isPresent()
                            ? wallet.refund(refund, timeoutMs)
                            : Future.succeededFuture(0L);
                }
            };
        }
    },
    /** A reward is credited when it is drawn (GIFT-6). */
    CREDIT_BEFORE_COMMIT {
        @Override
        LuckyGift lottery(GiftPorts right) {
            return (draw, timeoutMs) -> right.lottery().draw(draw, timeoutMs).compose(reward -> {
                String key = draw.key().replaceFirst("draw/", "credit/");
                return reward == 0
                        ? Future.succeededFuture(reward)
                        : right.wallet()
                                .credit(new Transfer(draw.appCode(), draw.userId(), key, reward), timeoutMs)
                                .transform(credited -> Future.succeededFuture(reward));
            });
        }
    },
    /** A credit without an answer counts as done (GIFT-6). */
    CREDIT_BELIEVED {
        @Override
        Wallet wallet(Wallet right) {
            return new PassedWallet(right) {
                @Override
                public Future<Long> credit(Transfer credit, long timeoutMs) {
                    return right.credit(credit, timeoutMs).otherwise(0L);
                }
            };
        }
    },
    /** Nobody sees to the gifts that nobody comes back for (GIFT-2). */
    NO_RECONCILER {
        @Override
        GiftStore store(GiftStore right) {
            return new PassedGifts(right) {
                @Override
                public Future<List<Intent>> claimDue(int most, long firstAgainMs, long mostAgainMs) {
                    return Future.succeededFuture(List.of());
                }
            };
        }
    },
    /** A debit without an answer counts as one that never comes, and its giver is told so (B27). */
    UNKNOWN_DEBIT_IS_VOIDED {
        @Override
        Wallet wallet(Wallet right) {
            return new PassedWallet(right) {
                @Override
                public Future<DebitAnswer> debit(Transfer debit, long timeoutMs) {
                    return right.debit(debit, timeoutMs).otherwise(new DebitAnswer.Voided());
                }
            };
        }
    };

    private static final Logger log = LoggerFactory.getLogger(PlantedGiftFlaw.class);

    GiftStore store(GiftStore right) {
        return right;
    }

    Wallet wallet(Wallet right) {
        return right;
    }

    LuckyGift lottery(GiftPorts right) {
        return right.lottery();
    }

    @Override
    public CellPorts in(CellPorts ports, Surroundings around) {
        GiftPorts right = ports.gifts();
        return Altered.gifts(
                ports,
                new GiftPorts(
                        store(right.store()),
                        right.catalog(),
                        right.rockets(),
                        wallet(right.wallet()),
                        lottery(right)));
    }
}
