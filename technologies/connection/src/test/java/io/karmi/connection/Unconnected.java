package io.karmi.connection;

import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.pool.ConnectionPool;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.util.List;

/** A technology without a network, for connections that a test makes. */
final class Unconnected extends ConnectedTechnology {
  Unconnected(UpCall upCall) {
    super(upCall, new ConnectionSettings(name -> null));
  }

  /** A pool of connections to one node. */
  ConnectionPool poolOfNode() {
    return new ConnectionPool(owner(), NodeId.random());
  }

  @Override
  protected List<String> addresses(String ofNode) {
    return List.of();
  }

  @Override
  protected NodeChannel dial(String address, boolean messages) throws RemoteException {
    throw new ConnectException("there is no network");
  }

  @Override
  protected void closeListeners() {}

  @Override
  public String name() {
    return "none";
  }

  @Override
  public int rank() {
    return 0;
  }

  @Override
  public TechnologyId listen(int port) {
    return new TechnologyId(name(), "");
  }

  @Override
  public void release(TechnologyId endpoint) {}
}
