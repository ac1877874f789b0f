package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rules.EntryPoint;
import io.karmi.retrofit.rules.ModuleAccess;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import io.karmi.retrofit.rules.StaticCall;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.SerialVersionUIDAdder;

/**
 * Transformer of class files by a set of rules, for every delivery.
 *
 * <p>Thread-safe, as class loading is concurrent. Without lambdas, as it runs in the agent before
 * the program does.
 */
public final class Transformer {
  /* Groups of names to look for. */
  private static final int CREATED = 1;
  private static final int TWINS = 2;
  private static final int LEADING = 4;
  private static final int LOADING = 8;
  private static final int REFLECTING = 16;
  private static final int LAMBDAS = 32;

  /** Names of the methods by which reflection is asked for a constructor. */
  static final Set<String> CONSTRUCTING =
      Set.of("getConstructor", "getDeclaredConstructor", "newInstance", "findConstructor");

  private final RuleSet rules;
  private final RetrofitOptions options;
  private final NameScan names = new NameScan();

  /** A transformer that applies the rules to the classes that the options select. */
  public Transformer(RuleSet rules, RetrofitOptions options) {
    this.rules = rules;
    this.options = options;
    for (String name : rules.creations().keySet()) {
      names.add(CREATED, List.of(name, name.replace('/', '.'))); // with dots for Class.forName
    }
    names.add(TWINS, rules.twins().keySet());
    for (StaticCall call : rules.staticCalls()) {
      names.add(LEADING, Set.of(call.owner()));
    }
    if (rules.bootDelegation()) {
      names.add(LOADING, Set.of(BootDelegation.METHOD));
    }
    names.add(REFLECTING, CONSTRUCTING);
    names.add(REFLECTING, ReflectiveCreations.GROOVY);
    names.add(LAMBDAS, Set.of(LambdaNames.METHOD));
  }

  /**
   * Rewires one class of an application.
   *
   * @param files finds the classes that it mentions
   */
  public Outcome transform(byte[] classFile, ClassFiles files) {
    int named = names.in(classFile);
    if ((named & ~(REFLECTING | LAMBDAS)) == 0 && !options.weave()) {
      return Outcome.unchanged();
    }
    return new Rewriting(classFile) {
      @Override
      byte @Nullable [] first(ClassBytes file, ChangeLog log) {
        return RuleSet.isKarmi(file.name()) ? null : created(file, named, log);
      }

      @Override
      boolean needsVisitors(ClassBytes file) {
        return !RuleSet.isKarmi(file.name())
            && (options.weave() || visits(file, named) || delegates(file, named));
      }

      @Override
      ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log) {
        ClassVisitor last =
            (named & LOADING) == 0 ? next : new BootDelegation(next, reader, files, log);
        WeavingPlan plan = options.weave() ? WeavingPlan.of(reader, files, options) : null;
        ClassVisitor woven = plan == null ? last : new Weaver(last, plan, log);
        ClassVisitor rewired = rewiring(reader, woven, named, log);
        return plan == null || plan.declaresSerialVersion
            ? rewired
            : new SerialVersionUIDAdder(Opcodes.ASM9, rewired) {}; // as of the old members
      }
    }.outcome();
  }

  /**
   * Puts the prologues of the rules' entry points into a class of the JDK. Only method bodies
   * change.
   */
  public Outcome transformEntryPoints(String internalName, byte[] classFile) {
    List<EntryPoint> own = rules.entryPointsOf(internalName);
    if (own.isEmpty()) {
      return Outcome.unchanged();
    }
    return new Rewriting(classFile) {
      @Override
      ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log) {
        return new EntryPoints(next, own, log);
      }
    }.outcome();
  }

  /** Lets one of java.io's object streams be extended by UKA's without a permission. */
  public Outcome transformSubclassCheck(byte[] classFile) {
    return new Rewriting(classFile) {
      @Override
      ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log) {
        return new SubclassChecks(next, log);
      }
    }.outcome();
  }

  /** Whether a class of a program may change, by its constants; cheap. */
  public boolean mayChange(byte[] classFile) {
    return options.weave() || (names.in(classFile) & ~(REFLECTING | LAMBDAS)) != 0;
  }

  /**
   * Rewires a class of the JDK, entry points included, for use with that JDK only.
   *
   * @param checker has {@code public static void check(String)}, called with {@code jdk} when the
   *     class is initialized
   * @param given packages of the class's module that it opens to the checker's module
   */
  public Outcome patch(
      String internalName,
      byte[] classFile,
      Class<?> checker,
      String jdk,
      List<ModuleAccess> given) {
    List<EntryPoint> own = rules.entryPointsOf(internalName);
    int named = names.in(classFile);
    if (own.isEmpty() && given.isEmpty() && (named & CREATED) == 0) {
      return Outcome.unchanged();
    }
    return new Rewriting(classFile) {
      @Override
      byte @Nullable [] first(ClassBytes file, ChangeLog log) {
        return created(file, named, log);
      }

      @Override
      boolean addsToChanged() {
        return true; // the check
      }

      @Override
      ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log) {
        ClassVisitor checked = new InitializationCheck(next, checker, jdk, given, log);
        return rewiring(reader, new EntryPoints(checked, own, log), named, log);
      }
    }.outcome();
  }

  /**
   * Lets KaRMI see what java.rmi sees of a module, and a module with rewired classes read KaRMI and
   * what that needs, for a module path.
   *
   * @param moduleInfo the class file of a module descriptor
   * @param rewired whether some class of the module is rewired
   */
  public Outcome connect(byte[] moduleInfo, boolean rewired) {
    return new Rewriting(moduleInfo) {
      @Override
      ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log) {
        List<String> required = rewired ? RuleSet.REQUIRED_MODULES : List.of();
        return new ModuleRequirement(next, required, log);
      }
    }.outcome();
  }

  /** Takes from a module descriptor the hashes that it has of other modules. */
  public Outcome untie(byte[] moduleInfo) {
    return new Rewriting(moduleInfo) {
      @Override
      ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log) {
        return new ModuleTies.Dropped(next, log);
      }
    }.outcome();
  }

  /** Whether {@code include}, {@code exclude} and the rules for the JDK let a class be rewired. */
  private boolean isRewired(String name) {
    return !rules.staysStock(name)
        && (rules.rewiredInJdk().contains(name) || options.selects(name.replace('/', '.')));
  }

  private byte @Nullable [] created(ClassBytes file, int named, ChangeLog log) {
    return (named & CREATED) != 0 && isRewired(file.name())
        ? Creations.replaced(file, rules.creations(), log)
        : null;
  }

  private static boolean reflects(int named) {
    return (named & CREATED) != 0 && (named & REFLECTING) != 0;
  }

  /** Whether a visitor is needed, besides weaving and class loaders. */
  private boolean visits(ClassBytes file, int named) {
    return isRewired(file.name())
        && ((named & TWINS) != 0
            || reflects(named)
            || (named & LEADING) != 0 && leads(file)
            || exchangesNames(named));
  }

  /** Whether a method or constructor may come to belong to another class. */
  private static boolean exchanges(int named) {
    return (named & (CREATED | TWINS | LEADING)) != 0;
  }

  /** Whether a serialized reference to such a method may name its class. */
  private static boolean exchangesNames(int named) {
    return exchanges(named) && (named & LAMBDAS) != 0;
  }

  private boolean leads(ClassBytes file) {
    for (StaticCall call : rules.staticCalls()) {
      if (file.refersTo(call.owner(), call.name())) {
        return true;
      }
    }
    return false;
  }

  /** Whether the class may be a loader; many only call one. */
  private static boolean delegates(ClassBytes file, int named) {
    return (named & LOADING) != 0
        && !"java/lang/Object".equals(file.superName())
        && file.declares(BootDelegation.METHOD);
  }

  /** The visitors that replace, unless {@code include} and {@code exclude} keep the class out. */
  private ClassVisitor rewiring(ClassReader reader, ClassVisitor next, int named, ChangeLog log) {
    if (!isRewired(reader.getClassName())) {
      return next;
    }
    ClassVisitor chain = next;
    if ((named & (TWINS | LEADING)) != 0) {
      chain = new Twins(chain, rules, log);
    }
    if (exchangesNames(named)) {
      chain = new LambdaNames(chain, rules, log);
    }
    return reflects(named) ? new ReflectiveCreations(chain, reader, rules.creations(), log) : chain;
  }
}
