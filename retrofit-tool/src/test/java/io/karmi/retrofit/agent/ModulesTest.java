package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Jvm;
import io.karmi.retrofit.kit.Sources;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Remote interfaces of a module that lets java.rmi at them, and no other module. */
public class ModulesTest {
  private static final String MODULE =
      """
      module app {
        requires java.rmi;
        requires java.management;
        exports app.exported to java.rmi;
        opens app to java.rmi;
      }
      """;

  private static final String EXPORTED =
      """
      package app.exported;
      import java.rmi.*;
      public interface Shop extends Remote {
        record Item(String name, int[] sizes) implements java.io.Serializable {}
        class SoldOut extends Exception {
          public SoldOut(String what) { super(what); }
        }
        Item buy(Item wanted, int many) throws RemoteException, SoldOut;
        default Item buyOne(Item wanted) throws RemoteException, SoldOut { return buy(wanted, 1); }
      }
      """;

  private static final String CLOSED =
      """
      package app.closed;
      import java.rmi.*;
      public interface Closed extends Remote { int call() throws RemoteException; }
      """;

  private static final String PROGRAM =
      """
      package app;
      import app.closed.Closed;
      import app.exported.Shop;
      import java.rmi.*;
      import java.rmi.registry.*;
      import java.rmi.server.*;
      import java.util.*;
      public class Main {
        interface Local extends Remote { long twice(long number) throws RemoteException; }
        static class ShopObject implements Shop, Local {
          public Item buy(Item wanted, int many) throws SoldOut {
            if (many > 1) throw new SoldOut(wanted.name());
            return new Item(wanted.name() + many, wanted.sizes());
          }
          public long twice(long number) { return 2 * number; }
        }
        static ShopObject object;
        public static void main(String[] args) throws Exception {
          if (args.length == 1) {
            use((Remote) LocateRegistry.getRegistry(Integer.parseInt(args[0])).lookup("shop"));
            return;
          }
          object = new ShopObject();
          int port;
          try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
            port = free.getLocalPort();
          }
          Registry registry = LocateRegistry.createRegistry(port);
          Remote stub = UnicastRemoteObject.exportObject(object, 0);
          registry.bind("shop", stub);
          use(stub);
          Closed closed = () -> 1;
          try {
            ((Closed) UnicastRemoteObject.exportObject(closed, 0)).call();
          } catch (RuntimeException e) {
            System.out.println("closed: " + e.getClass().getName());
          }
          List<String> command = new ArrayList<>();
          command.add(ProcessHandle.current().info().command().get());
          command.addAll(java.lang.management.ManagementFactory.getRuntimeMXBean()
              .getInputArguments());
          command.addAll(List.of("-m", "app/app.Main", String.valueOf(port)));
          new ProcessBuilder(command).inheritIO().start().waitFor();
          System.exit(0); // stock RMI goes on listening after an export that has failed
        }
        static void use(Remote stub) throws Exception {
          Shop.Item item = ((Shop) stub).buyOne(new Shop.Item("shoe", new int[] {41, 42}));
          System.out.println(item.name() + Arrays.toString(item.sizes()));
          try {
            ((Shop) stub).buy(item, 2);
          } catch (Shop.SoldOut e) {
            System.out.println(e.getMessage() + " is sold out");
          }
          System.out.println(((Local) stub).twice(21));
        }
      }
      """;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void whatIsOpenToJavaRmiIsOpenToKarmi() throws Exception {
    Path root = folder.getRoot().toPath();
    Path module =
        Sources.compile(root.resolve("module"), List.of(), MODULE, EXPORTED, CLOSED, PROGRAM);
    Jvm.Result stock = Jvm.java("-p", module, "-m", "app/app.Main");
    assertThat(stock.out())
        .as(stock.err())
        .contains("shoe1[41, 42]", "shoe1 is sold out", "42", "closed: java.lang.reflect");
    Jvm.Result ours =
        Jvm.java("-javaagent:" + Jars.karmi(root), "-p", module, "-m", "app/app.Main");
    assertThat(ours.out()).as(ours.err()).isEqualTo(stock.out());
    assertThat(ours.err()).isEmpty();
  }
}
