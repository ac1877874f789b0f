package io.karmi.jmx;

import io.karmi.guard.AbsentNames;
import io.karmi.guard.ArrayNames;
import io.karmi.guard.PeerBuffer;
import io.karmi.guard.ProxyClasses;
import io.karmi.uka.JdkFormatInputStream;
import io.karmi.uka.buffer.InputBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.rmi.MarshalledObject;
import java.rmi.server.RMIClassLoader;
import org.jspecify.annotations.Nullable;

/**
 * A parameter that a client has marshalled. JMX unmarshals it when it knows its class loader, by a
 * stream of the JDK's, which counts nothing. So JMX gets a {@link MarshalledObject} with a {@link
 * StandIn}, which reads the parameter by a stream of UKA's in its place: that bounds the steps to
 * hash and compare, and charges them to the client's host.
 *
 * <p>The stand-in finds the parameter by the filter that its {@code MarshalledObject} keeps, which
 * is asked about it just before. One that a client sends finds none. For one reading.
 */
final class Parameter implements ObjectInputFilter {
  private static final ThreadLocal<Parameter> NEXT = new ThreadLocal<>();

  /** A {@code MarshalledObject} with a stand-in. */
  private static final byte[] WITH_STAND_IN = withStandIn();

  private final byte[] bytes;
  private final String host;
  private final @Nullable ObjectInputFilter filter;
  private final boolean isQuery;

  /**
   * @param bytes its marshalled form, in the JDK's format
   * @param filter null for none but that of the JVM
   * @param isQuery whether it is a query, which the JDK evaluates
   */
  Parameter(byte[] bytes, String host, @Nullable ObjectInputFilter filter, boolean isQuery) {
    this.bytes = bytes;
    this.host = host;
    this.filter = filter;
    this.isQuery = isQuery;
  }

  /** Whether it is in the JDK's format: that of UKA counts by itself. */
  static boolean isJdkFormat(byte[] bytes) {
    return bytes.length > 1
        && bytes[0] == (byte) (ObjectStreamConstants.STREAM_MAGIC >> Byte.SIZE)
        && bytes[1] == (byte) ObjectStreamConstants.STREAM_MAGIC;
  }

  private static byte[] withStandIn() {
    try {
      return bytes(new MarshalledObject<>(new StandIn()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The serialized form of an object. */
  static byte[] bytes(MarshalledObject<?> object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /** What JMX unmarshals in its place. */
  MarshalledObject<?> marshalled() throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(WITH_STAND_IN))) {
      in.setObjectInputFilter(this);
      return (MarshalledObject<?>) in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the JDK is missing", e);
    }
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (info.serialClass() == StandIn.class) {
      NEXT.set(this);
    }
    return Status.ALLOWED;
  }

  private @Nullable Object read() throws IOException, ClassNotFoundException {
    try (Input in = new Input(new Counted(bytes, host), isQuery)) {
      in.setObjectInputFilter(new ArrayBound(filter, bytes.length));
      return in.readParameter();
    }
  }

  /** Becomes the parameter when it is read. */
  static final class StandIn implements Serializable {
    private static final long serialVersionUID = 1;

    private transient @Nullable Object parameter;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      Parameter next = NEXT.get();
      NEXT.remove();
      if (next == null) {
        throw new InvalidObjectException("it stands for no parameter");
      }
      parameter = next.read();
    }

    private @Nullable Object readResolve() {
      return parameter;
    }
  }

  private static final class Counted extends PeerBuffer {
    private final String host;

    Counted(byte[] bytes, String host) {
      super(bytes, 0, bytes.length);
      this.host = host;
    }

    @Override
    protected Object host() {
      return host;
    }
  }

  /** Looks for classes as a {@code MarshalledObject} does. */
  private static final class Input extends JdkFormatInputStream {
    private static final @Nullable ClassLoader LOADER = Parameter.class.getClassLoader();

    private final boolean isQuery;

    Input(InputBuffer buffer, boolean isQuery) throws IOException {
      super(buffer);
      this.isQuery = isQuery;
    }

    @Nullable Object readParameter() throws IOException, ClassNotFoundException {
      Object read = readObject();
      if (isQuery && read != null) {
        checkVisits(read);
      }
      return read;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      if (isQuery && description.getName().equals(MatchQueryExp.OF_JDK.getName())) {
        return MatchQueryExp.class;
      }
      check(description.getName());
      try {
        return RMIClassLoader.loadClass((String) null, description.getName(), LOADER);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description); // a primitive type
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces)
        throws IOException, ClassNotFoundException {
      for (String each : interfaces) {
        check(each);
      }
      ProxyClasses proxies = ProxyClasses.ofJvm();
      return proxies.lasts(interfaces, LOADER)
          ? RMIClassLoader.loadProxyClass(null, interfaces, LOADER)
          : proxies.find(interfaces, LOADER);
    }

    /** Refuses a name that class loaders would keep, where they keep many that peers have sent. */
    private static void check(String name) throws ClassNotFoundException {
      ArrayNames.check(name);
      AbsentNames.ofJvm().askedElsewhere(name, LOADER);
    }
  }
}
