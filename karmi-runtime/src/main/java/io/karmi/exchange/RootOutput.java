package io.karmi.exchange;

import io.karmi.exchange.record.GroupHeader;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.NotSerializableException;
import java.rmi.Remote;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Marshals the root of a group, and notes which other groups it refers to. */
final class RootOutput extends UkaObjectOutputStream {
  private static final UkaOptions SLIM =
      new UkaOptions(UkaOptions.Format.UKA, UkaOptions.Types.SLIM);

  private final long space;
  private final SharedObjects.@Nullable Uses shared;
  private final Set<GroupAddress> dependencies = new LinkedHashSet<>();

  /**
   * @param shared objects of other groups that are not written; null for none
   */
  @SuppressWarnings("this-escape") // the only way to ask for replaceObject
  RootOutput(OutputBuffer to, long space, SharedObjects.@Nullable Uses shared) throws IOException {
    super(to, SLIM);
    this.space = space;
    this.shared = shared;
    enableReplaceObject(true);
  }

  @Override
  protected boolean mayReplace(Class<?> type) {
    return Remote.class.isAssignableFrom(type) || shared != null && SharedObjects.areShared(type);
  }

  @Override
  protected @Nullable Object replaceObject(@Nullable Object object) throws IOException {
    if (object instanceof Remote) {
      throw new NotSerializableException(
          object.getClass().getName()
              + " is a remote object, and a group in a file cannot keep one alive: send its stub"
              + " in a call");
    }
    return shared == null ? object : shared.replacement(object);
  }

  /** A group of a space is written. */
  void refersTo(GroupAddress group, long ofSpace) throws IOException {
    if (ofSpace != space) {
      throw new NotSerializableException(
          "group " + group + " is of another space than the one it is put into");
    }
    dependencies.add(group);
    if (dependencies.size() > GroupHeader.MAXIMUM_DEPENDENCIES) {
      throw new NotSerializableException(
          "a group that refers to more than " + GroupHeader.MAXIMUM_DEPENDENCIES + " other groups");
    }
  }

  /** In the order in which they were met. */
  GroupAddress[] dependencies() {
    return dependencies.toArray(new GroupAddress[0]);
  }
}
