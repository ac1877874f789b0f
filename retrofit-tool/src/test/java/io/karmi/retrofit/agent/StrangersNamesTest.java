package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.UnderAgent;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.net.InetAddress;
import java.net.Socket;
import java.rmi.server.ObjID;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Names of classes that a stranger sends by JRMP, to the collector of stock RMI, whose number all
 * know.
 */
public class StrangersNamesTest {
  private static final String PROGRAM =
      """
      package app;
      import java.lang.management.ManagementFactory;
      import java.lang.management.MemoryPoolMXBean;
      import java.rmi.registry.LocateRegistry;
      public class Main {
        public static void main(String[] args) throws Exception {
          LocateRegistry.createRegistry(Integer.parseInt(args[0]));
          System.out.println("ready");
          while (System.in.read() == '\\n') {
            System.gc();
            long classes = 0;
            for (MemoryPoolMXBean each : ManagementFactory.getMemoryPoolMXBeans()) {
              classes += each.getName().equals("Metaspace") ? each.getUsage().getUsed() : 0;
            }
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            System.out.println("state " + heap + " " + classes);
          }
          System.exit(0);
        }
      }
      """;

  private static final List<String> ELEMENTS =
      List.of("java.lang.String", "java.lang.Thread", "java.util.List", "java.util.Map");

  private static final int HEAP_MIB = 64;
  private static final int NAMES = 200;
  private static final int LENGTH = 60_000;
  private static final int RETURN = 0x51;
  private static final long HASH_OF_COLLECTOR = -669196253586618813L;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private int sent;

  @Test
  public void takeASmallPartOfTheMemory() throws Exception {
    int port = FreePort.any();
    try (Jvm node = UnderAgent.start(folder.getRoot().toPath(), HEAP_MIB, PROGRAM, port)) {
      node.awaitLine("ready");
      send(port, "of.the.program.Main");
      long[] before = state(node);
      for (int i = 0; i < NAMES; i++) {
        send(port, "absent" + i + "x".repeat(LENGTH));
      }
      for (String element : ELEMENTS) {
        for (int dimensions = 248; dimensions <= 255; dimensions++) {
          send(port, "[".repeat(dimensions) + "L" + element + ";");
        }
      }
      long[] after = state(node);
      assertThat(after[0] - before[0]).as("heap").isLessThan(HEAP_MIB * (1 << 20) / 10);
      assertThat(after[1] - before[1]).as("metaspace").isLessThan(HEAP_MIB * (1 << 20) / 8);
    }
  }

  private static long[] state(Jvm node) throws Exception {
    String[] numbers = node.ask("", "state ").split(" ");
    return new long[] {Long.parseLong(numbers[0]), Long.parseLong(numbers[1])};
  }

  /** Asks for a lease, with an object of this class in the place of the numbers. */
  private void send(int port, String className) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeBytes("JRMI");
    out.writeShort(2);
    out.write('L');
    out.write('P');
    ObjectOutputStream call = new ObjectOutputStream(bytes);
    new ObjID(ObjID.DGC_ID).write(call);
    call.writeInt(1);
    call.writeLong(HASH_OF_COLLECTOR);
    call.flush();
    boolean array = className.startsWith("[");
    out.write(array ? ObjectStreamConstants.TC_ARRAY : ObjectStreamConstants.TC_OBJECT);
    out.write(ObjectStreamConstants.TC_CLASSDESC);
    out.writeUTF(className);
    out.writeLong(0);
    out.write(ObjectStreamConstants.SC_SERIALIZABLE);
    out.writeShort(0);
    out.write(ObjectStreamConstants.TC_NULL); // where its code would be
    out.write(ObjectStreamConstants.TC_ENDBLOCKDATA);
    out.write(ObjectStreamConstants.TC_NULL);
    out.writeInt(0);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(bytes.toByteArray());
      sent++;
      assertThat(new DataInputStream(socket.getInputStream()).read())
          .as("answer to name %s", sent)
          .isEqualTo(RETURN);
    }
  }
}
