package io.karmi.stock;

import io.karmi.id.ObjectId;
import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import io.karmi.stub.StubTypes;
import java.io.ObjectInputFilter;
import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** Answers of one node about its counterparts. Thread-safe. */
final class CounterpartService implements Counterparts {
  private final Node node;
  private final StockSide stock;
  private @Nullable ServerRef entry;

  CounterpartService(Node node, StockSide stock) {
    this.node = node;
    this.stock = stock;
  }

  /** Made when first asked for, because it takes a skeleton. */
  synchronized ServerRef entry() {
    ServerRef known = entry;
    if (known == null) {
      known =
          node.wellKnown(
              ObjectId.COUNTERPARTS,
              this,
              StubTypes.of(Counterparts.class).makeSkeleton(),
              CounterpartService::refuse);
      entry = known;
    }
    return known;
  }

  @Override
  public Remote stockStub(long number) throws RemoteException {
    stock.isMet();
    return stock.stockStub(node.exported(number));
  }

  @Override
  public @Nullable Remote karmiStub(long number, int unique, long time, short count) {
    ServerRef known = stock.entry(new StockNumbers(number, unique, time, count).toObjId());
    return known == null ? null : known.stub();
  }

  /** The arguments are numbers. */
  private static ObjectInputFilter.Status refuse(ObjectInputFilter.FilterInfo info) {
    return ObjectInputFilter.Status.REJECTED;
  }
}
