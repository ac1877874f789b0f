package io.karmi.replicas;

import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.rmi.RemoteException;

/** One replica's JVM: {@code ReplicaMain <name> <port of its registry>}. */
public final class ReplicaMain extends UnicastRemoteObject implements Replica {
  private static final long serialVersionUID = 1;

  private final String name;

  private ReplicaMain(String name) throws RemoteException {
    this.name = name;
  }

  /** Serves until it is killed. */
  public static void main(String[] args) throws Exception {
    LocateRegistry.createRegistry(Integer.parseInt(args[1]))
        .bind("replica", new ReplicaMain(args[0]));
    System.out.println("ready");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int length(String text, long factor) {
    return (int) (text.length() * factor);
  }

  @Override
  public Object echo(Object argument) {
    return argument;
  }

  @Override
  public void fail() throws IOException {
    throw new FileNotFoundException("at " + name);
  }
}
