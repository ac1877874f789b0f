package io.karmi.tcp;

import io.karmi.connection.call.FrameHeader;
import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallOutput;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Two nodes with sockets of the program's own, which fail once, when the other end has got all
 * bytes of a call. It prints what becomes of a call and of a future, and how often the callee was
 * called.
 */
public final class DoubtfulSocketsMain {
  private static volatile boolean failing;

  private DoubtfulSocketsMain() {}

  private static final class Doubtful extends Socket {
    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
          out.write(from, offset, length);
          if (failing && from[offset] == FrameHeader.CALL) {
            failing = false;
            throw new IOException("all has left");
          }
        }
      };
    }
  }

  private static final RMISocketFactory FACTORY =
      new RMISocketFactory() {
        @Override
        public Socket createSocket(String host, int port) throws IOException {
          Socket socket = new Doubtful();
          socket.connect(new InetSocketAddress(host, port));
          return socket;
        }

        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
          return new ServerSocket(port);
        }
      };

  private static String call(TcpTechnology client, ObjectId target) throws Exception {
    try {
      return "returned " + Nodes.next(client, target, 1);
    } catch (java.rmi.RemoteException e) {
      return e.getClass().getSimpleName();
    }
  }

  private static String future(TcpTechnology client, ObjectId target) throws Exception {
    Arguments one =
        new Arguments() {
          @Override
          public void marshal(CallOutput out) throws IOException {
            out.writeInt(1);
          }
        };
    try {
      return "returned "
          + client
              .futureApplicationCall(target, Callee.METHODS, 0, one, Wire.LOADER)
              .get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return e.getCause().getClass().getSimpleName();
    }
  }

  /** Makes four calls, of which two fail. */
  public static void main(String[] arguments) throws Exception {
    RMISocketFactory.setSocketFactory(FACTORY);
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Nodes.caller())) {
      int port = Wire.port(server.listen(0));
      ObjectId target = Nodes.object(node, new TechnologyId(Tcp.NAME, "127.0.0.1:" + port));
      System.out.println("call " + call(client, target));
      failing = true;
      System.out.println("call in doubt " + call(client, target));
      Deadline.await("it was executed", () -> node.calls() == 2);
      System.out.println("call " + call(client, target));
      failing = true;
      System.out.println("future in doubt " + future(client, target));
      Deadline.await("it was executed", () -> node.calls() == 4);
      System.out.println("call " + call(client, target));
      System.out.println("calls " + node.calls());
    }
    System.exit(0);
  }
}
