package io.karmi.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.guard.Ledger;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.rmi.dgc.Lease;
import java.rmi.dgc.VMID;
import java.rmi.server.ObjID;
import java.util.List;
import org.junit.Test;

public class StockLeasesTest {
  private static final long LEASE_MILLIS = 1000;

  private final Ledger ledger = new Ledger("the test", 4096, Ledger.Weakest.NONE);
  private long nanos;
  private final StockLeases leases = new StockLeases(ledger, LEASE_MILLIS, () -> nanos);
  private final VMID holder = new VMID();
  private final VMID other = new VMID();
  private final List<ObjID> exported = List.of(new ObjID(), new ObjID(), new ObjID());

  private void ask(VMID by, ObjID... ids) throws RemoteException {
    leases.ask(ids, new Lease(by, LEASE_MILLIS), exported::contains);
  }

  private void askForAll(VMID by) throws RemoteException {
    ask(by, exported.toArray(new ObjID[0]));
  }

  @Test
  public void firstLeaseOfAnExportedObjectTakesNoRoom() throws Exception {
    ask(holder);
    long alone = ledger.taken();
    askForAll(holder);
    askForAll(holder);
    assertThat(ledger.taken()).isEqualTo(alone);
    askForAll(other);
    assertThat(ledger.taken()).isGreaterThan(2 * alone);
  }

  @Test
  public void madeUpObjectsTakeRoom() throws Exception {
    assertThatThrownBy(
            () -> {
              while (true) {
                ask(holder, new ObjID());
              }
            })
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("this JVM")
        .hasMessageContaining(ledger.taken() + " of 4096 bytes");
    askForAll(holder);
  }

  @Test
  public void nextHolderHasTheFirstLeaseOnceThatHasEnded() throws Exception {
    askForAll(holder);
    leases.release(exported.toArray(new ObjID[0]), holder);
    ask(other);
    long two = ledger.taken();
    askForAll(other);
    assertThat(ledger.taken()).isEqualTo(two);
  }

  @Test
  public void objectsThatAreExportedNoMoreAreForgotten() throws Exception {
    askForAll(holder);
    askForAll(other);
    long all = ledger.taken();
    for (ObjID each : exported) {
      leases.ended(each);
    }
    leases.release(exported.toArray(new ObjID[0]), holder);
    assertThat(ledger.taken()).isEqualTo(all);
    leases.release(exported.toArray(new ObjID[0]), other);
    assertThat(ledger.taken()).isLessThan(all);
  }

  @Test
  public void silentHoldersGiveAllBackWhenThereIsNoRoom() throws Exception {
    askForAll(holder);
    askForAll(other);
    nanos += 2 * LEASE_MILLIS * 1_000_000 + 1;
    VMID late = new VMID();
    ask(late);
    long before = ledger.taken();
    assertThatThrownBy(
            () -> {
              while (true) {
                ask(late, new ObjID());
              }
            })
        .isInstanceOf(ConnectException.class);
    assertThat(ledger.taken()).isGreaterThan(before);
    askForAll(late);
    assertThat(ledger.taken()).isLessThanOrEqualTo(4096);
  }

  @Test
  public void silentHoldersMakeRoomForWhoeverTakesOfTheLedger() throws Exception {
    ask(holder);
    nanos += LEASE_MILLIS * 1_000_000;
    ask(other);
    long both = ledger.taken();
    long rest = ledger.most() - both;
    assertThat(ledger.take(null, rest + 1)).isEqualTo(Ledger.Outcome.ALL_IS_FULL);
    nanos += LEASE_MILLIS * 1_000_000 + 1;
    assertThat(ledger.take(null, rest + 1)).isEqualTo(Ledger.Outcome.TAKEN);
    assertThat(ledger.taken()).isEqualTo(both / 2 + rest + 1);
    nanos += LEASE_MILLIS * 1_000_000;
    assertThat(ledger.take(null, both - 1)).isEqualTo(Ledger.Outcome.TAKEN);
    assertThat(ledger.taken()).isEqualTo(ledger.most());
  }
}
