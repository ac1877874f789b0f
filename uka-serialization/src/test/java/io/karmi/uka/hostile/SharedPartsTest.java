package io.karmi.uka.hostile;

import static io.karmi.uka.hostile.ObjectBytes.assertBytesRefused;
import static io.karmi.uka.hostile.ObjectBytes.embedAs;
import static io.karmi.uka.hostile.ObjectBytes.read;
import static io.karmi.uka.hostile.ObjectBytes.write;
import static io.karmi.uka.hostile.ObjectBytes.writeAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.InputBuffer;
import java.io.FilePermission;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.security.Permission;
import java.security.PermissionCollection;
import java.security.Permissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.MBeanAttributeInfo;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularData;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;
import org.junit.Test;

/** Collections in objects of the platform's classes, whose methods go through them when read. */
public class SharedPartsTest {
  private static final Map<Class<?>, String> FORMS =
      Map.of(
          FormOfData.class, CompositeDataSupport.class.getName(),
          FormOfAttribute.class, OpenMBeanAttributeInfoSupport.class.getName(),
          FormOfFailure.class, Throwable.class.getName(),
          FormOfFilePermission.class, FilePermission.class.getName(),
          FormOfTable.class, TabularDataSupport.class.getName(),
          FormOfTableType.class, TabularType.class.getName(),
          FormOfQueue.class, PriorityBlockingQueue.class.getName(),
          FormOfPermissions.class, Permissions.class.getName());

  /** Is written as an exception, with any list of those that were suppressed. */
  private static final class FormOfFailure implements Serializable {
    private static final long serialVersionUID = 1;
    final Throwable cause = null;
    final String detailMessage = "forged";
    final StackTraceElement[] stackTrace = {};
    final List<Throwable> suppressedExceptions;

    FormOfFailure(List<Throwable> suppressedExceptions) {
      this.suppressedExceptions = suppressedExceptions;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }
  }

  /** Is written as a blocking queue, whose elements others may have, too. */
  private static final class FormOfQueue implements Serializable {
    private static final long serialVersionUID = 1;
    final ReentrantLock lock = new ReentrantLock();
    final Condition notEmpty = lock.newCondition();
    final PriorityQueue<Object> q;

    FormOfQueue(PriorityQueue<Object> q) {
      this.q = q;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }
  }

  /** Is written as a permission for a path, which the JDK makes short when it is read. */
  private static final class FormOfFilePermission extends Permission {
    private static final long serialVersionUID = 1;
    final String actions = "read";

    FormOfFilePermission(String path) {
      super(path);
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }

    @Override
    public boolean implies(Permission permission) {
      return false;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public String getActions() {
      return actions;
    }
  }

  /** Is written as permissions, whose method goes through those in them, and in these. */
  private static final class FormOfPermissions extends PermissionCollection {
    private static final long serialVersionUID = 1;
    final PermissionCollection allPermission = null;
    final Hashtable<Class<?>, PermissionCollection> perms = new Hashtable<>();

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }

    @Override
    public void add(Permission permission) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean implies(Permission permission) {
      return false;
    }

    @Override
    public Enumeration<Permission> elements() {
      return Collections.emptyEnumeration();
    }
  }

  /** Is written as data of any type. */
  private static final class FormOfData implements Serializable {
    private static final long serialVersionUID = 1;
    final CompositeType compositeType;
    final SortedMap<String, Object> contents = null;

    FormOfData(CompositeType type) {
      compositeType = type;
    }
  }

  /** Is written as the type of tables, with any names of columns. */
  private static final class FormOfTableType extends OpenType<Object> {
    private static final long serialVersionUID = 1;
    final List<String> indexNames;
    final CompositeType rowType;

    FormOfTableType(List<String> indexNames, CompositeType rowType) throws OpenDataException {
      super(TabularData.class.getName(), "type", "forged");
      this.indexNames = indexNames;
      this.rowType = rowType;
    }

    @Override
    public boolean isValue(Object value) {
      return false;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public String toString() {
      return "forged";
    }
  }

  /** Is written as a table of any type. */
  private static final class FormOfTable implements Serializable {
    private static final long serialVersionUID = 1;
    final Map<Object, Object> dataMap = new HashMap<>();
    final OpenType<Object> tabularType;

    FormOfTable(OpenType<Object> type) {
      tabularType = type;
    }
  }

  /** Is written as an attribute, whose default value is asked whether it has the type. */
  private static final class FormOfAttribute extends MBeanAttributeInfo {
    private static final long serialVersionUID = 1;
    final Object defaultValue;
    final Set<?> legalValues = null;
    final Comparable<?> maxValue = null;
    final Comparable<?> minValue = null;
    final OpenType<?> openType;

    FormOfAttribute(CompositeType type) {
      super("name", "java.lang.Object", "forged", true, true, false);
      openType = type;
      defaultValue = new FormOfData(type);
    }
  }

  /** Becomes the element of a set, whose hash was not asked for. */
  private static final class Key implements Serializable {
    private static final long serialVersionUID = 1;
    private final transient Object value;

    Key(Object value) {
      this.value = value;
    }

    private Object writeReplace() {
      return value;
    }
  }

  @Test
  public void listOfMoreElementsThanBytesIsNotGoneThrough() throws Exception {
    Error suppressed = new Error("suppressed");
    List<Throwable> endless = Collections.nCopies(Integer.MAX_VALUE, suppressed);
    assertBytesRefused(writeAs(FORMS, new FormOfFailure(endless)));
    assertBytesRefused(writeAs(FORMS, new FormOfFailure(Collections.unmodifiableList(endless))));
    byte[] honest = writeAs(FORMS, new FormOfFailure(Collections.nCopies(3, suppressed)));
    assertThat(((Throwable) read(honest)).getSuppressed()).hasSize(3);
  }

  @Test
  public void queueThatManyCopyIsCountedForEach() throws Exception {
    PriorityQueue<Object> shared = new PriorityQueue<>(Collections.nCopies(20_000, "element"));
    Object[] queues = new Object[2_000];
    Arrays.setAll(queues, i -> new FormOfQueue(shared));
    assertBytesRefused(writeAs(FORMS, queues));
    Object[] few = (Object[]) read(writeAs(FORMS, Arrays.copyOf(queues, 100)));
    assertThat(few).allSatisfy(each -> assertThat((Iterable<?>) each).hasSize(20_000));
  }

  private static PermissionCollection permissions(int levels) {
    FormOfPermissions innermost = new FormOfPermissions();
    for (int i = 0; i < levels; i++) {
      FormOfPermissions outer = new FormOfPermissions();
      outer.perms.put(Integer.class, innermost);
      outer.perms.put(String.class, innermost);
      innermost = outer;
    }
    return innermost;
  }

  @Test(timeout = 60_000)
  public void permissionsThatShareOthersAtEachLevelAreNotGoneThrough() throws Exception {
    assertBytesRefused(writeAs(FORMS, permissions(60)));
    assertThat(read(writeAs(FORMS, permissions(5)))).isInstanceOf(Permissions.class);
  }

  private static CompositeType type(int levels) throws Exception {
    OpenType<?> part = SimpleType.INTEGER;
    CompositeType type = null;
    for (int i = 0; i < levels; i++) {
      String[] names = {"a", "b"};
      type = new CompositeType("type", "forged", names, names, new OpenType<?>[] {part, part});
      part = type;
    }
    return type;
  }

  @Test(timeout = 60_000)
  public void openTypesThatShareOthersAtEachLevelAreNotGoneThrough() throws Exception {
    assertBytesRefused(writeAs(FORMS, new FormOfAttribute(type(60))));
    assertThat(read(writeAs(FORMS, new FormOfAttribute(type(5)))))
        .isInstanceOf(OpenMBeanAttributeInfoSupport.class);
  }

  /* The JDK takes a time that grows as the square of the path. */
  @Test(timeout = 60_000)
  public void permissionForEndlessPathIsNotMade() throws Exception {
    String path = "a/".repeat(1 << 18) + "../".repeat(1 << 18);
    assertBytesRefused(writeAs(FORMS, new FormOfFilePermission(path)));
    Object file = new FilePermission("a/".repeat(200) + "b", "read");
    assertThat(read(write(file, UkaOptions.Format.UKA))).isEqualTo(file);
  }

  /** Lists each of which contains all others: the paths through them grow as the factorial. */
  private static List<Object> eachInAllOthers(int count) {
    List<List<Object>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(new ArrayList<>());
    }
    for (List<Object> each : all) {
      for (List<Object> other : all) {
        if (other != each) {
          each.add(other);
        }
      }
    }
    return all.get(0);
  }

  private static Set<Object> setOf(Object key) {
    return new HashSet<>(List.of(new Key(key)));
  }

  /** Asserts that a source which allows no steps is asked for as many. */
  private static void assertTold(Object value, String steps) throws IOException {
    byte[] bytes = embedAs(FORMS, value);
    InputBuffer in =
        new InputBuffer(bytes, 0, bytes.length) {
          @Override
          public void work(long steps) throws InvalidObjectException {
            throw new InvalidObjectException("refused at " + steps);
          }
        };
    assertThatThrownBy(() -> new UkaObjectInputStream(in).readObject())
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageMatching("refused at " + steps);
  }

  @Test
  public void looksAtObjectsToCountTheirStepsAreToldWhileTheyAreMade() throws Exception {
    for (Object key : List.of(eachInAllOthers(12), Collections.nCopies(1 << 30, "element"))) {
      assertTold(setOf(key), "\\d{1,6}");
    }
  }

  private static List<Object> nested(int levels) {
    List<Object> innermost = new ArrayList<>();
    for (int i = 1; i < levels; i++) {
      innermost = new ArrayList<>(List.of(innermost));
    }
    return innermost;
  }

  @Test
  public void hashThatFillsTheStackIsToldBeforeItBegins() throws Exception {
    List<Object> ofItself = new ArrayList<>();
    ofItself.add(ofItself);
    for (Object key : List.of(ofItself, nested(300))) {
      assertTold(setOf(key), "2\\d{5}");
    }
    assertThat(read(write(setOf(nested(200)), UkaOptions.Format.UKA))).isInstanceOf(Set.class);
  }

  @Test
  public void comparisonThatFillsTheStackIsToldBeforeItBegins() throws Exception {
    Comparator<String> comparator = String.CASE_INSENSITIVE_ORDER;
    for (int i = 0; i < 300; i++) {
      comparator = Comparator.nullsFirst(comparator);
    }
    Set<String> ordered = new TreeSet<>(comparator);
    ordered.addAll(List.of("a", "b"));
    assertTold(ordered, "2\\d{5}");
  }

  /* The method that reads a table copies the names of its columns, which are in its type. */
  @Test
  public void namesOfATypeThatManyTablesCopyAreToldForEach() throws Exception {
    FormOfTableType type = new FormOfTableType(Collections.nCopies(1 << 16, "name"), type(1));
    Object[] tables = new Object[10];
    Arrays.setAll(tables, i -> new FormOfTable(type));
    assertTold(tables, "\\d{5,6}");
    assertThat((Object[]) read(writeAs(FORMS, tables))).hasSize(10);
  }
}
