package io.karmi.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.directory.Report;
import io.karmi.exchange.remote.Membership;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.kit.FreePort;
import io.karmi.messaging.Address;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.net.InetAddress;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteServer;
import java.rmi.server.UnicastRemoteObject;
import org.junit.Test;

/** What {@code karmi.serialFilter=interface} keeps out of arguments. */
public class InterfaceFilterTest {
  /** Takes anything that the filter lets through. */
  public interface Taking extends Remote {
    /** Takes it. */
    void take(Object any, Remote stub) throws RemoteException;
  }

  /** An object of stock RMI's that exports itself at a port when it is read. */
  private static byte[] exportedAt(int port) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
    out.writeShort(ObjectStreamConstants.STREAM_VERSION);
    out.writeByte(ObjectStreamConstants.TC_OBJECT);
    writeDescription(out, UnicastRemoteObject.class, ObjectStreamConstants.SC_SERIALIZABLE);
    out.writeShort(1);
    out.writeByte('I');
    out.writeUTF("port");
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    writeDescription(out, RemoteServer.class, ObjectStreamConstants.SC_SERIALIZABLE);
    out.writeShort(0);
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    writeDescription(
        out,
        RemoteObject.class,
        ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_WRITE_METHOD);
    out.writeShort(0);
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    out.writeByte(ObjectStreamConstants.TC_NULL);
    String reference = "UnicastServerRef";
    out.writeByte(ObjectStreamConstants.TC_BLOCKDATA);
    out.writeByte(Short.BYTES + reference.length());
    out.writeUTF(reference);
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    out.writeInt(port);
    return bytes.toByteArray();
  }

  private static void writeDescription(DataOutputStream out, Class<?> type, int flags)
      throws IOException {
    out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
    out.writeUTF(type.getName());
    out.writeLong(ObjectStreamClass.lookup(type).getSerialVersionUID());
    out.writeByte(flags);
  }

  private static Object read(byte[] bytes, boolean filtered)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      if (filtered) {
        in.setObjectInputFilter(InterfaceFilter.make(false, Taking.class));
      }
      return in.readObject();
    }
  }

  private static boolean isListening(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static ObjectInputFilter.Status statusOf(ObjectInputFilter filter, Class<?> type) {
    return filter.checkInput(new Info(type));
  }

  private record Info(Class<?> serialClass) implements ObjectInputFilter.FilterInfo {
    @Override
    public long arrayLength() {
      return -1;
    }

    @Override
    public long depth() {
      return 1;
    }

    @Override
    public long references() {
      return 1;
    }

    @Override
    public long streamBytes() {
      return 0;
    }
  }

  @Test
  public void directoriesOfExchangeSpacesAndTheirMembersReadNothingElseWithoutTheSetting() {
    ObjectInputFilter arguments = InterfaceFilter.ofArguments(MetadataServer.class);
    assertThat(statusOf(arguments, Address.class)).isEqualTo(ObjectInputFilter.Status.ALLOWED);
    assertThat(statusOf(arguments, File.class)).isEqualTo(ObjectInputFilter.Status.REJECTED);
    ObjectInputFilter results = InterfaceFilter.ofResults(Membership.class);
    assertThat(statusOf(results, Report.Answer.class)).isEqualTo(ObjectInputFilter.Status.ALLOWED);
    assertThat(statusOf(results, File.class)).isEqualTo(ObjectInputFilter.Status.REJECTED);
    assertThat(InterfaceFilter.ofArguments(Taking.class)).isNull();
  }

  @Test
  public void objectThatWouldListenWhereItsSenderSaysIsRefused() throws Exception {
    int port = FreePort.any();
    byte[] bytes = exportedAt(port);
    assertThatThrownBy(() -> read(bytes, true)).isInstanceOf(InvalidClassException.class);
    assertThat(isListening(port)).as("with the filter").isFalse();
    Remote exported = (Remote) read(bytes, false);
    try {
      assertThat(isListening(port)).as("without it these bytes open a port").isTrue();
    } finally {
      UnicastRemoteObject.unexportObject(exported, true);
    }
  }
}
