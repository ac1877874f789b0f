package io.karmi.jmx;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.rmi.MarshalledObject;
import java.util.Map;
import java.util.Set;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.InvalidAttributeValueException;
import javax.management.ListenerNotFoundException;
import javax.management.MBeanException;
import javax.management.MBeanRegistrationException;
import javax.management.NotCompliantMBeanException;
import javax.management.ObjectInstance;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.remote.NotificationResult;
import javax.management.remote.rmi.RMIConnectionImpl;
import javax.management.remote.rmi.RMIServerImpl;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose parameters pass a filter, and whose client cannot keep more than its share.
 *
 * <p>JMX sends most parameters as a {@link MarshalledObject}: bytes that the server makes objects
 * of when it knows their class loader. The call's filter sees the bytes only. So each becomes a
 * {@link Parameter}.
 */
final class BoundedConnection extends RMIConnectionImpl {
  private final @Nullable ObjectInputFilter filter;
  private final ClientShare share;
  private final OneWaits waiting = new OneWaits();

  BoundedConnection(
      RMIServerImpl server,
      String connectionId,
      @Nullable ClassLoader loader,
      @Nullable Subject subject,
      Map<String, ?> environment,
      @Nullable ObjectInputFilter filter,
      ClientShare share) {
    super(server, connectionId, loader, subject, environment);
    this.filter = filter;
    this.share = share;
  }

  /** Gives its share back; does nothing the second time. */
  void ended() {
    share.close();
  }

  private @Nullable MarshalledObject<?> filtered(@Nullable MarshalledObject<?> parameter)
      throws IOException {
    return filtered(bytes(parameter));
  }

  /** The same for a query, which the JDK evaluates. */
  private @Nullable MarshalledObject<?> query(@Nullable MarshalledObject<?> parameter)
      throws IOException {
    return filtered(bytes(parameter), true);
  }

  /** The serialized form; null of null. */
  private static byte @Nullable [] bytes(@Nullable MarshalledObject<?> parameter)
      throws IOException {
    return parameter == null ? null : Parameter.bytes(parameter);
  }

  private @Nullable MarshalledObject<?> filtered(byte @Nullable [] bytes) throws IOException {
    return filtered(bytes, false);
  }

  private @Nullable MarshalledObject<?> filtered(byte @Nullable [] bytes, boolean isQuery)
      throws IOException {
    if (bytes == null) {
      return null;
    }
    byte[] parameter = Content.read(bytes).objBytes;
    if (parameter == null) {
      return new MarshalledObject<>(null);
    }
    if (Parameter.isJdkFormat(parameter)) {
      return new Parameter(parameter, share.host(), filter, isQuery).marshalled();
    }
    if (isQuery) {
      throw new IOException(
          "a query has to be in the JDK's format; set the client's format of serialization to jdk");
    }
    return inOtherFormat(bytes);
  }

  /** With a filter that it keeps, in the way that it takes one: from the stream. */
  private MarshalledObject<?> inOtherFormat(byte[] bytes) throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      in.setObjectInputFilter(new ArrayBound(filter, 2 * bytes.length)); // they are an array, too
      return (MarshalledObject<?>) in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException("a class of the JDK is missing", e);
    }
  }

  /** The fields of a {@code MarshalledObject}, under their names in its serialized form. */
  @SuppressWarnings({"unused", "serial"})
  private static final class Content implements Serializable {
    private static final long serialVersionUID = 8988374069173025854L;

    private int hash;
    private byte @Nullable [] locBytes;
    private byte @Nullable [] objBytes;

    static Content read(byte[] bytes) throws IOException {
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            protected ObjectStreamClass readClassDescriptor()
                throws IOException, ClassNotFoundException {
              ObjectStreamClass sent = super.readClassDescriptor();
              return sent.getName().equals(MarshalledObject.class.getName())
                  ? ObjectStreamClass.lookup(Content.class)
                  : sent;
            }
          }) {
        in.setObjectInputFilter(info -> ObjectInputFilter.Status.ALLOWED); // arrays of bytes
        return (Content) in.readObject();
      } catch (ClassNotFoundException e) {
        throw new IOException("a class of the JDK is missing", e);
      }
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public ObjectInstance createMBean(
      String type, ObjectName name, MarshalledObject params, String[] signature, Subject subject)
      throws ReflectionException,
          InstanceAlreadyExistsException,
          MBeanRegistrationException,
          MBeanException,
          NotCompliantMBeanException,
          IOException {
    return super.createMBean(type, name, filtered(params), signature, subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public ObjectInstance createMBean(
      String type,
      ObjectName name,
      ObjectName loader,
      MarshalledObject params,
      String[] signature,
      Subject subject)
      throws ReflectionException,
          InstanceAlreadyExistsException,
          MBeanRegistrationException,
          MBeanException,
          NotCompliantMBeanException,
          InstanceNotFoundException,
          IOException {
    return super.createMBean(type, name, loader, filtered(params), signature, subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Set<ObjectInstance> queryMBeans(ObjectName name, MarshalledObject query, Subject subject)
      throws IOException {
    return super.queryMBeans(name, query(query), subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Set<ObjectName> queryNames(ObjectName name, MarshalledObject query, Subject subject)
      throws IOException {
    return super.queryNames(name, query(query), subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void setAttribute(ObjectName name, MarshalledObject attribute, Subject subject)
      throws InstanceNotFoundException,
          AttributeNotFoundException,
          InvalidAttributeValueException,
          MBeanException,
          ReflectionException,
          IOException {
    super.setAttribute(name, filtered(attribute), subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public AttributeList setAttributes(ObjectName name, MarshalledObject attributes, Subject subject)
      throws InstanceNotFoundException, ReflectionException, IOException {
    return super.setAttributes(name, filtered(attributes), subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Object invoke(
      ObjectName name,
      String operation,
      MarshalledObject params,
      String[] signature,
      Subject subject)
      throws InstanceNotFoundException, MBeanException, ReflectionException, IOException {
    return super.invoke(name, operation, filtered(params), signature, subject);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Integer[] addNotificationListeners(
      ObjectName[] names, MarshalledObject[] filters, Subject @Nullable [] subjects)
      throws InstanceNotFoundException, IOException {
    if (names == null
        || filters == null
        || names.length != filters.length
        || subjects != null && subjects.length != names.length) {
      return super.addNotificationListeners(names, filters, subjects); // says what is wrong
    }
    Integer[] added = new Integer[names.length];
    int count = 0;
    try {
      for (; count < names.length; count++) {
        added[count] = add(names[count], filters[count], subject(subjects, count));
      }
      return added;
    } finally {
      if (count < names.length) {
        for (int i = 0; i < count; i++) {
          remove(names[i], added[i], subject(subjects, i));
        }
      }
    }
  }

  /** Adds one listener: each is counted before the next one is read. */
  private Integer add(
      ObjectName name, @Nullable MarshalledObject<?> wanted, @Nullable Subject subject)
      throws InstanceNotFoundException, IOException {
    MarshalledObject<?> kept = filtered(wanted);
    Integer listener = addCounted(name, kept, subject);
    if (listener == null) { // the first one of a JVM has loaded classes, too
      share.giveBackGone(this::isThere);
      listener = addCounted(name, kept, subject);
    }
    if (listener == null) {
      throw share.tooMuch();
    }
    return listener;
  }

  /** Null, and it is not added, if there is no room. */
  private @Nullable Integer addCounted(
      ObjectName name, @Nullable MarshalledObject<?> kept, @Nullable Subject subject)
      throws InstanceNotFoundException, IOException {
    ClientShare.Growth growth = share.grow();
    Integer listener =
        super.addNotificationListeners(
            new ObjectName[] {name},
            new MarshalledObject<?>[] {kept},
            subject == null ? null : new Subject[] {subject})[0];
    if (!growth.keep(listener)) {
      remove(name, listener, subject);
      return null;
    }
    return listener;
  }

  private static @Nullable Subject subject(Subject @Nullable [] subjects, int i) {
    return subjects == null ? null : subjects[i];
  }

  private void remove(ObjectName name, Integer listener, @Nullable Subject subject)
      throws IOException {
    try {
      removeNotificationListeners(name, new Integer[] {listener}, subject);
    } catch (InstanceNotFoundException | ListenerNotFoundException e) {
      /* Gone with its bean. */
    }
  }

  @Override
  public void removeNotificationListeners(
      ObjectName name, Integer[] listeners, @Nullable Subject subject)
      throws InstanceNotFoundException, ListenerNotFoundException, IOException {
    super.removeNotificationListeners(name, listeners, subject);
    share.giveBack(listeners);
  }

  @Override
  public NotificationResult fetchNotifications(long first, int most, long timeoutMillis)
      throws IOException {
    waiting.begin();
    try {
      return super.fetchNotifications(first, most, timeoutMillis);
    } finally {
      waiting.end();
    }
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void addNotificationListener(
      ObjectName name,
      ObjectName listener,
      MarshalledObject wanted,
      MarshalledObject handback,
      Subject subject)
      throws InstanceNotFoundException, IOException {
    byte[] filterBytes = bytes(wanted);
    byte[] handbackBytes = bytes(handback);
    int bytes = length(filterBytes) + length(handbackBytes);
    if (!share.takeBean(name, listener, bytes)) {
      share.giveBackGone(this::isThere);
      if (!share.takeBean(name, listener, bytes)) {
        throw share.tooMuch();
      }
    }
    boolean added = false;
    try {
      super.addNotificationListener(
          name, listener, filtered(filterBytes), filtered(handbackBytes), subject);
      added = true;
    } finally {
      if (!added) {
        share.giveBackOne(name, listener);
      }
    }
  }

  private boolean isThere(ObjectName bean) {
    try {
      return isRegistered(bean, null);
    } catch (IOException e) {
      return true; // it is not known
    }
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void removeNotificationListener(
      ObjectName name,
      ObjectName listener,
      MarshalledObject wanted,
      MarshalledObject handback,
      Subject subject)
      throws InstanceNotFoundException, ListenerNotFoundException, IOException {
    super.removeNotificationListener(name, listener, filtered(wanted), filtered(handback), subject);
    share.giveBackOne(name, listener);
  }

  @Override
  public void removeNotificationListener(ObjectName name, ObjectName listener, Subject subject)
      throws InstanceNotFoundException, ListenerNotFoundException, IOException {
    super.removeNotificationListener(name, listener, subject);
    share.giveBackAll(name, listener);
  }
}
