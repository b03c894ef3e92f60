package dev.roomcell.contract;

import dev.roomcell.dev.wallet.LuckyOdds;
import org.junit.jupiter.api.extension.RegisterExtension;

final class GrpcWalletIT extends WalletContract {
    @RegisterExtension
    static final GrpcWalletBackend BACKEND = new GrpcWalletBackend(LuckyOdds.STANDARD);

    @Override
    WalletBackend backend() {
        return BACKEND;
    }
}
