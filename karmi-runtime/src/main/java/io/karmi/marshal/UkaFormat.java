package io.karmi.marshal;

import io.karmi.uka.ConnectionInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectStreamClass;
import java.lang.ref.WeakReference;
import java.rmi.Remote;
import org.jspecify.annotations.Nullable;

/**
 * UKA-serialization: one stream for each direction of a connection, so that type numbers outlive
 * the messages and a class is described once (paper 3.3).
 */
public final class UkaFormat implements CallFormat {
  private static final long TYPE_LIFETIME_MILLIS = 30_000;

  /** Number of messages between two readings of the clock. */
  private static final int MESSAGES_PER_LOOK = 32;

  /** The number of a peer's types after which it is asked to number them afresh. */
  private static final int MANY_TYPES = 10_000;

  /** About what the class of a dynamic proxy takes beside its interfaces. */
  private static final int PROXY_BYTES = 3 << 10;

  private final long typeLifetimeNanos;
  private final int messagesPerLook;

  /** A format that tells its types again after half a minute, or some messages later. */
  public UkaFormat() {
    this(TYPE_LIFETIME_MILLIS, MESSAGES_PER_LOOK);
  }

  /**
   * A format whose streams forget their types now and then, so that a connection which is never
   * idle keeps no class loader alive for ever.
   */
  UkaFormat(long typeLifetimeMillis, int messagesPerLook) {
    typeLifetimeNanos = typeLifetimeMillis * 1_000_000;
    this.messagesPerLook = messagesPerLook;
  }

  @Override
  public String name() {
    return "uka";
  }

  @Override
  public ObjectMarshaler openMarshaler(CallOutput out, OutputBuffer buffer) throws IOException {
    return StreamOpening.open(() -> new Output(out, buffer, typeLifetimeNanos, messagesPerLook));
  }

  @Override
  public ObjectUnmarshaler openUnmarshaler(CallInput in, InputBuffer buffer) throws IOException {
    return StreamOpening.open(() -> new Input(in, buffer));
  }

  private static final class Output extends UkaObjectOutputStream
      implements ObjectMarshaler, CallObjectOutput {
    private final CallOutput call;
    private final long typeLifetimeNanos;
    private final int messagesPerLook;
    private long forgottenAtNanos = System.nanoTime();
    private int messagesSinceLook;

    /** Whether the peer may not know yet that its types are void. */
    private boolean forgetting;

    @SuppressWarnings("this-escape") // the only way to ask for replaceObject
    Output(CallOutput call, OutputBuffer buffer, long typeLifetimeNanos, int messagesPerLook)
        throws IOException {
      super(buffer);
      this.call = call;
      this.typeLifetimeNanos = typeLifetimeNanos;
      this.messagesPerLook = messagesPerLook;
      enableReplaceObject(true);
    }

    @Override
    public void beginMessage() throws IOException {
      if (forgetting || ++messagesSinceLook >= messagesPerLook && isOverdue()) {
        forgetting = true; // until a message that says so is sent
        reset();
      }
    }

    /**
     * Whether types are to be forgotten. Reading the clock costs more than anything else in a small
     * message.
     */
    private boolean isOverdue() {
      messagesSinceLook = 0;
      long now = System.nanoTime();
      boolean overdue = now - forgottenAtNanos > typeLifetimeNanos;
      if (overdue) {
        forgottenAtNanos = now;
      }
      return overdue;
    }

    @Override
    public void marshal(@Nullable Object object) throws IOException {
      writeObject(object);
    }

    @Override
    public void endMessage() throws IOException {
      forgetting = false;
      resetObjects();
    }

    @Override
    protected @Nullable Object replaceObject(@Nullable Object object) {
      return object instanceof Remote ? CallObjects.toStub(call, object) : object;
    }

    @Override
    protected boolean mayReplace(Class<?> type) {
      return Remote.class.isAssignableFrom(type);
    }

    @Override
    public CallOutput call() {
      return call;
    }
  }

  private static final class Input extends ConnectionInputStream
      implements ObjectUnmarshaler, CallObjectInput {
    private final CallInput call;

    /**
     * The loader that the types are bound for; weak, so that an idle connection keeps none alive.
     */
    private WeakReference<ClassLoader> boundDefault = new WeakReference<>(null);

    private WeakReference<ClassLoader> boundContext = new WeakReference<>(null);

    /**
     * Whether another context class loader might lead to other types: not if the default loader has
     * found them all itself. Then it is not asked for, as on JDK 17 that also asks for the security
     * manager.
     */
    private boolean contextCounts;

    private boolean bound;

    /** Types that the peer has described since they were numbered from 0. */
    private int types;

    /** About what those take that are known. */
    private long typeBytes;

    /** What their fields and names took when that was last counted. */
    private long describedBefore;

    /** How many were known when the last one was described. */
    private int knownBefore;

    Input(CallInput call, InputBuffer buffer) throws IOException {
      super(buffer);
      this.call = call;
    }

    @Override
    public void beginMessage() throws IOException {
      boolean sameDefault = boundDefault.get() == call.defaultLoader();
      if (!sameDefault || contextCounts && boundContext.get() != context()) {
        boundDefault = new WeakReference<>(call.defaultLoader());
        boundContext = new WeakReference<>(null);
        contextCounts = false;
        if (bound) {
          types = 0; // each is counted again
          typeBytes = 0;
          rebindTypes();
        }
      }
      bound = true;
    }

    private static @Nullable ClassLoader context() {
      return Thread.currentThread().getContextClassLoader();
    }

    private void countContext() {
      if (!contextCounts) {
        contextCounts = true;
        boundContext = new WeakReference<>(context());
      }
    }

    @Override
    public @Nullable Object unmarshal() throws IOException, ClassNotFoundException {
      return readObject();
    }

    @Override
    public @Nullable Object unmarshalExactly(Class<?> type) throws IOException {
      return readExactly(type);
    }

    @Override
    public void endMessage() throws IOException {
      if (describedBytes() != describedBefore) {
        count(0, 0); // constants of a type that is known
      }
      resetObjects();
      buffer().endMessage();
    }

    @Override
    public void skipMessage() throws IOException {
      int before = knownTypes();
      super.skipMessage();
      count(Math.max(0, knownTypes() - before), 0);
    }

    @Override
    protected @Nullable ObjectInputFilter messageFilter() {
      ObjectInputFilter own = call.filter();
      return own != null ? own : getObjectInputFilter();
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      count(1, 0);
      ClassLoader first = call.defaultLoader();
      boolean foundByFirst = false;
      try {
        Class<?> found = CallObjects.resolveClass(call, description.getName());
        ClassLoader loader = found.getClassLoader();
        foundByFirst = first != null && (loader == first || loader == null);
        return found;
      } catch (ClassNotFoundException e) {
        count(0, FAILURE_BYTES);
        throw e;
      } finally {
        if (!foundByFirst) {
          countContext();
        }
      }
    }

    private void count(int more, int moreBytes) {
      int known = knownTypes();
      if (known < knownBefore) {
        typeBytes = 0; // the peer has begun to number them afresh
      }
      knownBefore = known;
      typeBytes += (long) more * TYPE_BYTES + moreBytes;
      describedBefore = describedBytes();
      call.typesTake(typeBytes + describedBefore);
      int before = types;
      types += more;
      if (types / MANY_TYPES > before / MANY_TYPES) {
        call.typesAreMany();
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces)
        throws IOException, ClassNotFoundException {
      count(1, PROXY_BYTES);
      countContext();
      return call.proxyClass(interfaces);
    }

    @Override
    public CallInput call() {
      return call;
    }
  }
}
