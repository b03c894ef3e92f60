package dev.roomcell.contract;

import dev.roomcell.check.WalletMovement;
import dev.roomcell.port.Wallet;
import dev.roomcell.sim.MemoryWallet;
import java.util.List;
import java.util.Optional;

final class MemoryWalletTest extends WalletContract {
    private final Backend backend = new Backend(new MemoryWallet());

    private record Backend(MemoryWallet memory) implements WalletBackend {
        @Override
        public Wallet wallet() {
            return memory;
        }

        @Override
        public void open(String appCode, String userId, long coins) {
            memory.open(appCode, userId, coins);
        }

        @Override
        public Optional<WalletMovement> movement(String key) {
            return memory.movement(key);
        }

        @Override
        public List<WalletMovement> movements() {
            return memory.movements();
        }

        @Override
        public List<String> audit() {
            return memory.audit();
        }
    }

    @Override
    WalletBackend backend() {
        return backend;
    }
}
