package app;

import java.io.FileNotFoundException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.List;

/** Calls a {@link ChatServer} in every way, and prints what it sees. */
public class ChatClient implements Chat.Listener {
  @Override
  public int heard(String what, Object attachment) {
    System.out.println("heard " + what + " " + (attachment instanceof int[] a ? Arrays.toString(a) : attachment));
    return what.length();
  }

  public static void main(String[] args) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]));
    System.out.println(Arrays.toString(registry.list()));
    Chat chat = (Chat) registry.lookup("chat");
    ChatClient listener = new ChatClient();
    UnicastRemoteObject.exportObject(listener, 0);
    System.out.println(chat.join("Ada", listener));
    System.out.println("unexported " + UnicastRemoteObject.unexportObject(listener, true));
    System.out.println(chat.echo(List.of("a", 1, 2.5)) + " " + chat.echo(null));
    System.out.println(chat.sum((byte) 1, (short) 2, 'c', 4, 5L, 6.5f, 7.5, true));
    System.out.println("equal stubs " + chat.equals(chat.again()) + " " + (chat.hashCode() == chat.again().hashCode()));
    try {
      chat.fail("no such thing");
    } catch (FileNotFoundException e) {
      System.out.println(e + " at " + e.getStackTrace()[0] + ", client frame "
          + Arrays.stream(e.getStackTrace()).anyMatch(f -> f.getClassName().equals("app.ChatClient")));
    }
    try {
      registry.lookup("nobody");
    } catch (NotBoundException e) {
      System.out.println(e);
    }
    try {
      chat.echo(new Object());
    } catch (RemoteException e) {
      System.out.println(e.getClass().getName() + ", cause " + e.getCause());
    }
    try {
      chat.close();
    } catch (RemoteException e) {
      /* The server may be gone before its answer is out. */
    }
  }
}
