package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Remote objects that are dynamic proxies: their classes are of a module named {@code jdk.…}. */
public class ProxyExportsTest {
  private static final String PROGRAM =
      """
      package app;
      import java.io.ObjectInputFilter;
      import java.lang.reflect.Method;
      import java.lang.reflect.Proxy;
      import java.net.ServerSocket;
      import java.rmi.Remote;
      import java.rmi.RemoteException;
      import java.rmi.server.RemoteObject;
      import java.rmi.server.RemoteStub;
      import java.rmi.server.UnicastRemoteObject;
      public class Main {
        public interface Answer extends Remote {
          int answer() throws RemoteException;
        }
        public static void main(String[] args) throws Exception {
          int port;
          try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
          }
          Answer filtered = proxy();
          ObjectInputFilter filter = info -> ObjectInputFilter.Status.UNDECIDED;
          UnicastRemoteObject.exportObject(filtered, port, filter);
          Answer plain = proxy();
          Answer stub = (Answer) UnicastRemoteObject.exportObject(plain, port);
          System.out.println(((Answer) RemoteObject.toStub(filtered)).answer() + stub.answer());
          System.out.println(stub instanceof RemoteStub);
          System.exit(0);
        }
        private static Answer proxy() {
          Class<?>[] types = {Answer.class};
          return (Answer) Proxy.newProxyInstance(Main.class.getClassLoader(), types, Main::call);
        }
        private static Object call(Object proxy, Method method, Object[] arguments) {
          switch (method.getName()) {
            case "hashCode":
              return System.identityHashCode(proxy);
            case "equals":
              return proxy == arguments[0];
            default:
              return 21;
          }
        }
      }
      """;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void areExportedByKarmiAndShareTheirPortsAsOthersDo() throws Exception {
    Path root = folder.getRoot().toPath();
    Path classes = Sources.compile(root.resolve("classes"), List.of(), PROGRAM);
    assertThat(Jvm.java("-cp", classes, "app.Main").out()).isEqualTo("42\nfalse\n");
    Jvm.Result karmi = Jvm.java("-javaagent:" + Jars.karmi(root), "-cp", classes, "app.Main");
    assertThat(karmi).isEqualTo(new Jvm.Result(0, "42\ntrue\n", ""));
  }
}
