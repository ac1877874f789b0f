package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.UnderAgent;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.net.InetAddress;
import java.net.Socket;
import java.rmi.dgc.Lease;
import java.rmi.dgc.VMID;
import java.rmi.server.ObjID;
import java.rmi.server.UID;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Leases of stock RMI that a stranger asks for, by JRMP, each for another holder: of the registry,
 * whose number all know.
 */
public class StrangersLeasesTest {
  private static final String PROGRAM =
      """
      package app;
      import java.rmi.registry.LocateRegistry;
      public class Main {
        public static void main(String[] args) throws Exception {
          LocateRegistry.createRegistry(Integer.parseInt(args[0]));
          System.out.println("ready");
          System.in.read();
          System.exit(0);
        }
      }
      """;

  /** More than there is room for in a sixteenth of the heap. */
  private static final int HOLDERS = 3_000;

  private static final int RETURN = 0x51;
  private static final long HASH_OF_COLLECTOR = -669196253586618813L;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void takeASixteenthOfTheHeap() throws Exception {
    int port = FreePort.any();
    try (Jvm node = UnderAgent.start(folder.getRoot().toPath(), 32, PROGRAM, port)) {
      node.awaitLine("ready");
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        DataInputStream in = greet(socket);
        int granted = 0;
        for (int i = 0; i < HOLDERS; i++) {
          granted += ask(socket, in) ? 1 : 0;
        }
        assertThat(granted).isBetween(HOLDERS / 3, HOLDERS - HOLDERS / 6);
      }
    }
  }

  private static DataInputStream greet(Socket socket) throws IOException {
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    DataInputStream in = new DataInputStream(socket.getInputStream());
    out.writeBytes("JRMI");
    out.writeShort(2);
    out.write('K');
    out.flush();
    in.readByte();
    in.readUTF();
    in.readInt();
    out.writeUTF("127.0.0.1");
    out.writeInt(0);
    return in;
  }

  private static boolean ask(Socket socket, DataInputStream in) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write('P');
    ObjectOutputStream out =
        new ObjectOutputStream(bytes) {
          @Override
          protected void annotateClass(Class<?> type) throws IOException {
            writeObject(null);
          }
        };
    new ObjID(ObjID.DGC_ID).write(out);
    out.writeInt(1);
    out.writeLong(HASH_OF_COLLECTOR);
    out.writeObject(new ObjID[] {new ObjID(ObjID.REGISTRY_ID)});
    out.writeLong(1);
    out.writeObject(new Lease(new VMID(), 600_000));
    out.flush();
    socket.getOutputStream().write(bytes.toByteArray());
    assertThat(in.read()).isEqualTo(RETURN);
    ObjectInputStream reply =
        new ObjectInputStream(in) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass description)
              throws IOException, ClassNotFoundException {
            readObject();
            return super.resolveClass(description);
          }
        };
    reply.readByte();
    UID.read(reply);
    return reply.readObject() instanceof Lease;
  }
}
