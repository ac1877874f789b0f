package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rules.EntryPoint;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import io.karmi.retrofit.rules.StaticCall;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.SerialVersionUIDAdder;

/**
 * Rewires class files by a set of rules; the same for every delivery.
 *
 * <p>Thread-safe: class loading is concurrent.
 */
public final class Transformer {
  private final RuleSet rules;
  private final RetrofitOptions options;
  private final ConstantPool triggers;
  private final ConstantPool reflection = new ConstantPool(ReflectiveCreations.METHODS);

  /** A transformer that applies the rules to the classes that the options select. */
  public Transformer(RuleSet rules, RetrofitOptions options) {
    this.rules = rules;
    this.options = options;
    this.triggers = new ConstantPool(triggersOf(rules));
  }

  private static Set<String> triggersOf(RuleSet rules) {
    Set<String> names = new HashSet<>(rules.twins().keySet());
    for (String name : rules.creations().keySet()) {
      names.add(name);
      names.add(name.replace('/', '.')); // Class.forName
    }
    for (StaticCall call : rules.staticCalls()) {
      names.add(call.owner());
    }
    if (rules.bootDelegation()) {
      names.add(BootDelegation.METHOD);
    }
    return names;
  }

  /**
   * Rewires one class of an application.
   *
   * @param files where the classes it mentions are found
   */
  public Outcome transform(byte[] classFile, ClassFiles files) {
    WeavingPlan plan = options.weave() ? weavingPlan(classFile, files) : null;
    if (plan == null && !triggers.isMentionedIn(classFile)) {
      return Outcome.unchanged();
    }
    return rewrite(
        classFile,
        (name, next, log) -> {
          boolean delegates = rules.bootDelegation() && !RuleSet.isKarmi(name);
          ClassVisitor last = delegates ? new BootDelegation(next, files, log) : next;
          ClassVisitor woven = plan == null ? last : new Weaver(last, plan, log);
          return pinned(plan, rewiring(name, woven, classFile, log));
        });
  }

  private WeavingPlan weavingPlan(byte[] classFile, ClassFiles files) {
    try {
      return WeavingPlan.of(
          classFile,
          files,
          name -> !RuleSet.isKarmi(name) && options.selects(name.replace('/', '.')));
    } catch (RuntimeException e) {
      return null; // broken, or newer than ASM knows: said where it matters
    }
  }

  /** Keeps the serialVersionUID that a class has by its members before any are added or changed. */
  private static ClassVisitor pinned(WeavingPlan plan, ClassVisitor next) {
    return plan == null || plan.declaresSerialVersion
        ? next
        : new SerialVersionUIDAdder(Opcodes.ASM9, next) {};
  }

  /** Puts the prologues of the rules' entry points into a class of the JDK. Only method bodies change. */
  public Outcome transformEntryPoints(String internalName, byte[] classFile) {
    List<EntryPoint> own = rules.entryPointsOf(internalName);
    return own.isEmpty()
        ? Outcome.unchanged()
        : rewrite(classFile, (name, next, log) -> new EntryPoints(next, own, log));
  }

  /**
   * Rewires a class of the JDK, entry points included, for use with that JDK only.
   *
   * @param checker has {@code public static void check(String)}, called with {@code jdk} when the class is initialized
   */
  public Outcome patch(
      String internalName, byte[] classFile, Class<?> checker, String jdk) {
    List<EntryPoint> own = rules.entryPointsOf(internalName);
    if (own.isEmpty() && !triggers.isMentionedIn(classFile)) {
      return Outcome.unchanged();
    }
    return rewrite(
        classFile,
        (name, next, log) -> {
          ClassVisitor checked = new InitializationCheck(next, checker, jdk);
          ClassVisitor asking = new EntryPoints(checked, own, log);
          return rewiring(name, asking, classFile, log);
        });
  }

  /**
   * Lets a module read KaRMI, for a rewired jar on a module path.
   *
   * @param moduleInfo the class file of a module descriptor
   */
  public Outcome requireKarmi(byte[] moduleInfo) {
    return rewrite(
        moduleInfo, (name, next, log) -> new ModuleRequirement(next, RuleSet.KARMI_MODULE, log));
  }

  /** The chain of visitors that replace, unless {@code include} and {@code exclude} keep the class out. */
  private ClassVisitor rewiring(
      String name, ClassVisitor next, byte[] classFile, ChangeLog log) {
    ClassVisitor chain = next;
    boolean selected =
        rules.rewiredInJdk().contains(name) || options.selects(name.replace('/', '.'));
    if (RuleSet.isKarmi(name) || !selected) {
      return chain;
    }
    if (!rules.twins().isEmpty()) {
      chain = new Twins(chain, rules, log);
    }
    if (!rules.creations().isEmpty()) {
      chain = new Creations(chain, rules.creations(), log);
      if (reflection.isMentionedIn(classFile)) {
        chain = new ReflectiveCreations(chain, rules.creations(), log);
      }
    }
    return chain;
  }

  private interface Step {
    ClassVisitor before(String name, ClassVisitor next, ChangeLog log);
  }

  private static Outcome rewrite(byte[] classFile, Step step) {
    try {
      ClassReader reader = new ClassReader(classFile);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      ChangeLog log = new ChangeLog();
      reader.accept(step.before(reader.getClassName(), writer, log), 0);
      return log.isEmpty()
          ? Outcome.unchanged()
          : new Outcome(writer.toByteArray(), log.changes(), null);
    } catch (IllegalArgumentException e) {
      return Outcome.leftAlone(e.getMessage()); // newer than ASM knows
    } catch (RuntimeException e) {
      return Outcome.leftAlone("broken class file: " + e);
    }
  }
}
