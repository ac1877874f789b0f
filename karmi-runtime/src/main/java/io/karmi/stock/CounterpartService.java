package io.karmi.stock;

import io.karmi.id.ObjectId;
import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import io.karmi.stub.StubTypes;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.ObjID;

/** Answers for one node. Thread-safe. */
final class CounterpartService implements Counterparts {
  private final Node node;
  private final StockSide stock;
  private ServerRef entry;

  CounterpartService(Node node, StockSide stock) {
    this.node = node;
    this.stock = stock;
  }

  /** Made when somebody asks for the first time, because it takes a skeleton. */
  synchronized ServerRef entry() {
    if (entry == null) {
      entry =
          node.wellKnown(
              ObjectId.COUNTERPARTS, this, StubTypes.of(Counterparts.class).makeSkeleton());
    }
    return entry;
  }

  @Override
  public Remote stockStub(long number) throws RemoteException {
    stock.isMet();
    return stock.stockStub(node.exported(number));
  }

  @Override
  public Remote karmiStub(ObjID id) {
    ServerRef known = id == null ? null : stock.entry(id);
    return known == null ? null : known.stub();
  }
}
