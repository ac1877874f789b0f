package io.karmi.marshal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.NodeId;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.StackWalker.StackFrame;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Both ends of one direction of a connection that is never idle. */
public class UkaFormatTest {
  private final OutputBuffer sent = new OutputBuffer(64);
  private final InputBuffer got = new InputBuffer(new byte[0], 0, 0);
  private ClassLoader receiversLoader = UkaFormatTest.class.getClassLoader();
  private ClassLoader defaultLoader;

  /** Crosses. */
  public static final class Parcel implements Serializable {
    private static final long serialVersionUID = 1;
    final String content = "content";
  }

  /** Notes who reads it. */
  public static final class Watched implements Serializable {
    private static final long serialVersionUID = 1;

    transient String[] readers = {};

    private void readObject(ObjectInputStream in) {
      readers =
          StackWalker.getInstance()
              .walk(frames -> frames.map(StackFrame::getClassName).toArray(String[]::new));
    }
  }

  @Test
  public void platformClassesAreReadByTheirCodecs() throws Exception {
    List<?> read = (List<?>) send(output(1000), input(), new ArrayList<>(List.of(new Watched())));
    assertThat(((Watched) read.get(0)).readers)
        .contains("io.karmi.marshal.UkaFormat$Input")
        .doesNotContain("java.util.ArrayList");
  }

  private CallOutput output(long typeLifetimeMillis) {
    return new CallOutput(sent, new UkaFormat(typeLifetimeMillis, 1), new Loads(), NodeId.random());
  }

  private CallInput input() {
    return new CallInput(got, new UkaFormat(), new Loads());
  }

  private Object send(CallOutput out, CallInput in, Object object) throws Exception {
    sent.position = 0;
    out.writeObject(object);
    out.endMessage();
    got.bytes = sent.bytes;
    got.position = 0;
    got.limit = sent.position;
    in.beginMessage();
    in.readFor(defaultLoader, null);
    Object read = in.readObject();
    in.endMessage();
    return read;
  }

  private Object foreignParcel(ClassLoader loader) throws ReflectiveOperationException {
    return loader.loadClass(Parcel.class.getName()).getConstructor().newInstance();
  }

  private static URLClassLoader newLoader() {
    URL own = Parcel.class.getProtectionDomain().getCodeSource().getLocation();
    return new URLClassLoader(new URL[] {own}, ClassLoader.getPlatformClassLoader());
  }

  /** A loader with a class of its own, which has crossed. */
  private WeakReference<ClassLoader> sendForeign(CallOutput out, CallInput in) throws Exception {
    try (URLClassLoader loader = newLoader()) {
      receiversLoader = loader;
      Object read = send(out, in, foreignParcel(loader));
      assertThat(read.getClass().getClassLoader()).isSameAs(loader);
      receiversLoader = UkaFormatTest.class.getClassLoader();
      return new WeakReference<>(loader);
    }
  }

  @Test
  public void loaderIsForgottenWhileTheConnectionIsBusy() throws Exception {
    CallOutput out = output(20);
    CallInput in = input();
    WeakReference<ClassLoader> loader = sendForeign(out, in);
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (loader.get() != null && System.nanoTime() - deadline < 0) {
      assertThat(send(out, in, "busy")).isEqualTo("busy");
      System.gc();
    }
    assertThat(loader.get()).isNull();
    assertThat(((Parcel) send(out, in, new Parcel())).content).isEqualTo("content");
  }

  private ClassLoader loaderOfParcel(CallOutput out, CallInput in, ClassLoader context)
      throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader outer = thread.getContextClassLoader();
    thread.setContextClassLoader(context);
    try {
      assertThat(send(out, in, List.of("text", 1))).isEqualTo(List.of("text", 1));
      return send(out, in, new Parcel()).getClass().getClassLoader();
    } finally {
      thread.setContextClassLoader(outer);
    }
  }

  @Test
  public void typesAreLookedForAgainWhereAnotherLoaderMightFindThem() throws Exception {
    CallOutput out = output(60_000);
    CallInput in = input();
    try (URLClassLoader one = newLoader();
        URLClassLoader other = newLoader()) {
      defaultLoader = one;
      assertThat(loaderOfParcel(out, in, null)).isSameAs(one);
      assertThat(loaderOfParcel(out, in, other)).as("the default comes first").isSameAs(one);
      defaultLoader = ClassLoader.getPlatformClassLoader();
      assertThat(loaderOfParcel(out, in, other)).isSameAs(other);
      assertThat(loaderOfParcel(out, in, one)).as("another context").isSameAs(one);
      assertThat(loaderOfParcel(out, in, other)).isSameAs(other);
      defaultLoader = other;
      assertThat(loaderOfParcel(out, in, one)).isSameAs(other);
      defaultLoader = one;
      assertThat(loaderOfParcel(out, in, one)).isSameAs(one);
    }
  }

  @Test
  public void typesAreToldAgainAfterTheirTime() throws Exception {
    CallOutput out = output(0);
    CallInput in = input();
    for (int i = 0; i < 5; i++) {
      assertThat(((Parcel) send(out, in, new Parcel())).content).isEqualTo("content");
    }
  }

  @Test
  public void messageThatIsNotSentDoesNotHideThatTypesAreVoid() throws Exception {
    CallOutput out = output(0);
    CallInput in = input();
    send(out, in, List.of(new Parcel(), "first"));
    sent.position = 0;
    assertThatThrownBy(() -> out.writeObject(List.of(new Parcel(), new Object())))
        .isInstanceOf(NotSerializableException.class);
    out.discardMessage();
    assertThat(((Parcel) send(out, in, new Parcel())).content).isEqualTo("content");
  }

  private final class Loads implements RemoteTranslation {
    @Override
    public Object toStub(Object object) {
      return object;
    }

    @Override
    public Class<?> resolveClass(String name, ClassLoader defaultLoader)
        throws ClassNotFoundException {
      if (defaultLoader == null) {
        return Class.forName(name, false, receiversLoader);
      }
      try {
        return Class.forName(name, false, defaultLoader);
      } catch (ClassNotFoundException e) {
        return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
      }
    }

    @Override
    public Class<?> resolveProxyClass(String[] interfaceNames, ClassLoader defaultLoader)
        throws ClassNotFoundException {
      throw new ClassNotFoundException("no proxies in this test");
    }

    @Override
    public void referencesArrived(List<Object> references) {}

    @Override
    public ObjectInputFilter defaultFilter() {
      return null;
    }
  }
}
