package io.karmi.reference.network;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.technology.Technology;
import java.io.Closeable;
import java.rmi.ConnectException;
import java.rmi.RemoteException;

/** A technology without a network: it reaches all addresses but {@code nowhere}. */
public class NamedTechnology extends Technology {
  private final String name;
  private final int rank;

  public NamedTechnology(String name, int rank) {
    this.name = name;
    this.rank = rank;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public TechnologyId listen(int port) {
    return new TechnologyId(name, "here");
  }

  @Override
  public void release(TechnologyId endpoint) {}

  @Override
  public boolean reaches(TechnologyId id) {
    return !id.address().equals("nowhere");
  }

  @Override
  protected CallInput exchange(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    throw new ConnectException("no network");
  }

  @Override
  protected Closeable line(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    throw new ConnectException("no network");
  }

  @Override
  public void close() {}
}
