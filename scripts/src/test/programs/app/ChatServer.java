package app;

import java.io.FileNotFoundException;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** Prints its port, and lives until it is closed by a call. */
public class ChatServer extends UnicastRemoteObject implements Chat {
  private static Registry registry;

  ChatServer() throws RemoteException {}

  public static void main(String[] args) throws Exception {
    OpenRegistry open = OpenRegistry.atAnyPort();
    registry = open.registry();
    registry.rebind("chat", new ChatServer());
    System.out.println("port " + open.port());
  }

  @Override
  public String join(String name, Listener listener) throws RemoteException {
    int first = listener.heard("welcome " + name, new int[] {1, 2});
    return name + " heard " + (first + listener.heard("again", null));
  }

  @Override
  public Object echo(Object value) {
    return value;
  }

  @Override
  public long sum(byte a, short b, char c, int d, long e, float f, double g, boolean h) {
    return (long) (a + b + c + d + e + f + g + (h ? 1 : 0));
  }

  @Override
  public void fail(String message) throws FileNotFoundException {
    throw new FileNotFoundException(message);
  }

  @Override
  public Chat again() {
    return this;
  }

  @Override
  public void close() throws RemoteException {
    UnicastRemoteObject.unexportObject(this, true);
    UnicastRemoteObject.unexportObject(registry, true);
  }
}
