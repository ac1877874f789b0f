package app;

import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Takes messages and requests; with the port of another one as its argument it sends them. */
public final class Post implements Remote {
  private static final Post POST = new Post();

  private Post() {}

  record Order(int number) implements Serializable {}

  record Question(String text) implements Serializable {}

  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      open();
    } else {
      visit(Integer.parseInt(args[0]));
    }
  }

  private static void open() throws Exception {
    Messaging messaging = Messaging.ofThisNode();
    messaging.receive(Order.class, (order, from) -> System.out.println("ordered " + order));
    messaging.answer(Question.class, (question, from) -> answer(question.text()));
    OpenRegistry open = OpenRegistry.atAnyPort();
    open.registry().bind("post", UnicastRemoteObject.exportObject(POST, 0));
    System.out.println("port " + open.port());
  }

  private static Object answer(String question) {
    switch (question) {
      case "now":
        return "yes";
      case "later":
        return CompletableFuture.supplyAsync(() -> "yes, later");
      default:
        throw new IllegalArgumentException("no idea");
    }
  }

  private static void visit(int port) throws Exception {
    Messaging messaging = Messaging.ofThisNode();
    Address post = Address.of(LocateRegistry.getRegistry("127.0.0.1", port).lookup("post"));
    messaging.sendOrdered(new Order(1), post);
    System.out.println("answer " + messaging.request(new Question("now"), post).get());
    System.out.println("answer " + messaging.request(new Question("later"), post).get());
    try {
      messaging.request(new Question("?"), post).get();
    } catch (ExecutionException e) {
      System.out.println("failed: " + e.getCause());
    }
    messaging.close();
    System.exit(0);
  }
}
