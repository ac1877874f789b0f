package io.karmi.stub;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.reference.Node;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import org.junit.Test;

/** Stubs in object streams that know nothing of KaRMI. */
public class StubFormTest {
  interface Clock extends Remote {
    long now() throws RemoteException;
  }

  interface Bell extends Remote {
    void ring() throws RemoteException;
  }

  private static Remote stub(Class<?>... interfaces) {
    return StubTypes.of(interfaces).makeStub(Node.current().locate("localhost", 4711, 7));
  }

  private static byte[] written(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes, ObjectInputFilter filter) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      in.setObjectInputFilter(filter);
      return in.readObject();
    }
  }

  @Test
  public void stubSurvivesAnObjectStream() throws Exception {
    Remote stub = stub(Clock.class, Bell.class);
    Object copy = read(written(List.of(stub, "and more")), null);
    assertThat(copy).isEqualTo(List.of(stub, "and more"));
    assertThat(((List<?>) copy).get(0))
        .isInstanceOf(Clock.class)
        .isInstanceOf(Bell.class)
        .isNotSameAs(stub)
        .hasSameHashCodeAs(stub);
  }

  @Test
  public void stubSurvivesAMarshalledObject() throws Exception {
    Remote stub = stub(Clock.class);
    assertThat(new MarshalledObject<>(stub).get()).isEqualTo(stub);
    assertThat(new MarshalledObject<>(stub)).isEqualTo(new MarshalledObject<>(stub));
  }

  @Test
  public void filterSeesTheInterfaces() throws Exception {
    byte[] bytes = written(stub(Clock.class));
    ObjectInputFilter filter = ObjectInputFilter.Config.createFilter("!" + Clock.class.getName());
    assertThatThrownBy(() -> read(bytes, filter)).isInstanceOf(InvalidClassException.class);
  }

  @Test
  public void stubConsistsOfWhatFiltersOfRegistriesLetPass() throws Exception {
    ObjectInputFilter likeARegistry =
        info ->
            info.serialClass() == null
                    || info.serialClass().isArray()
                    || Remote.class.isAssignableFrom(info.serialClass())
                ? ObjectInputFilter.Status.UNDECIDED
                : ObjectInputFilter.Status.REJECTED;
    Remote stub = stub(Clock.class, Bell.class);
    assertThat(read(written(stub), likeARegistry)).isEqualTo(stub);
  }

  /** As long a name as that of the interface that it takes the place of. */
  interface Locks {
    long now();
  }

  @Test
  public void interfacesThatAreNotRemoteAreRefused() throws Exception {
    String forged =
        new String(written(stub(Clock.class)), ISO_8859_1)
            .replace(Clock.class.getName(), Locks.class.getName());
    assertThatThrownBy(() -> read(forged.getBytes(ISO_8859_1), null))
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageContaining("no remote interface");
  }

  @Test
  public void aForgedStubWithoutAnInterfaceIsRefused() throws Exception {
    String name = Clock.class.getName();
    String bytes = new String(written(stub(Clock.class)), ISO_8859_1);
    String theInterface = "vr\0" + (char) name.length() + name;
    String forged = bytes.substring(0, bytes.indexOf(theInterface)) + "p"; // which is null
    assertThatThrownBy(() -> read(forged.getBytes(ISO_8859_1), null))
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageContaining("without one of its interfaces");
  }
}
