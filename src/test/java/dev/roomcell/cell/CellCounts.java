package dev.roomcell.cell;

import dev.roomcell.domain.RoomCommand;
import dev.roomcell.port.CellMeter;
import java.util.ArrayList;
import java.util.List;

/** What a node's rooms reported for its operators, each in order. */
final class CellCounts implements CellMeter {
    /** As {@code KIND RESULT}. */
    final List<String> answered = new ArrayList<>();
    /** As {@code WAITING OLDEST_MS}. */
    final List<String> taken = new ArrayList<>();
    /** As {@code OUTCOME ROOMS MS}. */
    final List<String> transactions = new ArrayList<>();

    final List<Integer> batches = new ArrayList<>();
    final List<Load> loads = new ArrayList<>();
    final List<Boolean> retakes = new ArrayList<>();
    final List<Settled> settled = new ArrayList<>();
    final List<Drop> drops = new ArrayList<>();

    /** What came before the part that the test is about. */
    void forget() {
        List.of(answered, taken, transactions, batches, loads, retakes, settled, drops)
                .forEach(List::clear);
    }

    @Override
    public void answered(RoomCommand.Kind kind, Result result) {
        answered.add(kind + " " + result);
    }

    @Override
    public void taken(int waiting, long oldestMs) {
        taken.add(waiting + " " + oldestMs);
    }

    @Override
    public void transactionEnded(Transaction outcome, int rooms, long ms) {
        transactions.add(outcome + " " + rooms + " " + ms);
    }

    @Override
    public void batchCommitted(int commands) {
        batches.add(commands);
    }

    @Override
    public void loaded(Load result) {
        loads.add(result);
    }

    @Override
    public void retaken(boolean ours) {
        retakes.add(ours);
    }

    @Override
    public void settled(Settled result) {
        settled.add(result);
    }

    @Override
    public void dropped(Drop reason) {
        drops.add(reason);
    }
}
