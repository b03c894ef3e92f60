package dev.roomcell.contract;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.port.Wallet;
import java.util.List;
import java.util.Optional;

/** A wallet, and a look into its books past it. */
interface WalletBackend {
    Wallet wallet();

    /** Gives a user coins to begin with. */
    void open(String appCode, String userId, long coins);

    /** The movement of a key, if it was made. */
    Optional<WalletMovement> movement(String key);

    /** Every movement, in order. */
    List<WalletMovement> movements();

    /** Whatever does not add up; empty when all is well. */
    List<String> audit();
}
